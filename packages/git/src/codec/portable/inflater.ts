import {
  Z_BUF_ERROR,
  Z_DATA_ERROR,
  Z_FINISH,
  Z_NEED_DICT,
  Z_OK,
  Z_STREAM_END,
  zlibInflate,
  zlibInflateEnd,
  zlibInflateInit,
  zlibInflateReset,
  ZStream,
} from 'pako';
import { CodecError, type Inflater, type InflateStep } from '../../ports/codec.ts';

const nothing = new Uint8Array(0);

/** zlib's own loop in JavaScript. It holds 7 KiB, and a window of 32 KiB once a stream did not end in one step. */
export class PortableInflater implements Inflater {
  readonly #stream = new ZStream();
  readonly #step: InflateStep = { consumed: 0, produced: 0 };

  constructor() {
    zlibInflateInit(this.#stream);
  }

  reset(): void {
    zlibInflateReset(this.#stream);
  }

  step(
    input: Uint8Array,
    inputStart: number,
    inputEnd: number,
    output: Uint8Array,
    outputStart: number,
    outputEnd: number,
  ): InflateStep {
    const stream = this.#stream;
    stream.input = input;
    stream.next_in = inputStart;
    stream.avail_in = inputEnd - inputStart;
    // The library's types leave out shared memory, which it can write to as well.
    stream.output = output as Uint8Array<ArrayBuffer>;
    stream.next_out = outputStart;
    stream.avail_out = outputEnd - outputStart;
    // "Finish" goes as far as the others do, but copies nothing to the window for a stream that ends in this step.
    const status = zlibInflate(stream, Z_FINISH);
    // A cached inflater must not keep bytes of callers.
    stream.input = nothing;
    stream.output = nothing;
    if (status === Z_DATA_ERROR) throw new CodecError(stream.msg);
    if (status === Z_NEED_DICT) throw new CodecError('needs a preset dictionary');
    if (status !== Z_OK && status !== Z_STREAM_END && status !== Z_BUF_ERROR)
      throw new Error('The inflater is closed.');
    this.#step.consumed = stream.next_in - inputStart;
    this.#step.produced = stream.next_out - outputStart;
    return this.#step;
  }

  close(): void {
    zlibInflateEnd(this.#stream);
  }
}
