import {
  Z_BUF_ERROR,
  Z_FINISH,
  Z_NO_FLUSH,
  Z_OK,
  Z_STREAM_END,
  zlibDeflate,
  zlibDeflateInit,
  zlibDeflateReset,
  ZStream,
} from 'pako';
import type { Deflater } from '../../ports/codec.ts';

/** Maximum number of bytes that the compressor writes in one call. */
const turnMax = 32_768;

const nothing = new Uint8Array(0);

/**
 * Compresses one body after the other. The tables of a compressor take 300 KiB, so those of the last level are kept:
 * for small objects, making them would take most of the time.
 */
export class PortableDeflater {
  #stream: ZStream | undefined;
  #level = -1;
  readonly #turn = new Uint8Array(turnMax);

  /** Compresses to a whole zlib stream. @throws RangeError unless the level is an integer from 0 to 9. */
  deflate(bytes: Uint8Array, level: number): Uint8Array {
    const stream = this.#streamOf(level);
    stream.input = bytes;
    stream.next_in = 0;
    const output = compress(stream, bytes.length, Z_FINISH, this.#turn);
    stream.input = nothing;
    return output;
  }

  #streamOf(level: number): ZStream {
    if (this.#stream !== undefined && level === this.#level) {
      zlibDeflateReset(this.#stream);
      return this.#stream;
    }
    this.#stream = newStream(level);
    this.#level = level;
    return this.#stream;
  }
}

/** Makes one zlib stream in parts. @throws RangeError as {@link PortableDeflater.deflate}. */
export function streamDeflater(level: number): Deflater {
  const stream = newStream(level);
  const turn = new Uint8Array(turnMax);
  return {
    part(piece, isLast) {
      stream.input = piece;
      stream.next_in = 0;
      return compress(stream, piece.length, isLast ? Z_FINISH : Z_NO_FLUSH, turn);
    },
  };
}

/** Compresses the next `length` bytes of the input of the stream and returns the output that is ready. */
function compress(
  stream: ZStream,
  length: number,
  flush: typeof Z_FINISH | typeof Z_NO_FLUSH,
  turn: Uint8Array<ArrayBuffer>,
): Uint8Array {
  stream.avail_in = length;
  const parts: Uint8Array[] = [];
  for (;;) {
    stream.output = turn;
    stream.next_out = 0;
    stream.avail_out = turnMax;
    const status = zlibDeflate(stream, flush);
    // Nothing is left to do where the input ended with the room.
    if (status !== Z_OK && status !== Z_STREAM_END && status !== Z_BUF_ERROR) {
      throw new Error(`The compressor failed: ${stream.msg}`);
    }
    parts.push(turn.slice(0, stream.next_out));
    if (flush === Z_FINISH ? status === Z_STREAM_END : stream.avail_out > 0) return joined(parts);
  }
}

function newStream(level: number): ZStream {
  if (!Number.isInteger(level) || level < 0 || level > 9) throw new RangeError(`${level} is no level of zlib.`);
  const stream = new ZStream();
  zlibDeflateInit(stream, level);
  return stream;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first = nothing] = parts;
  if (parts.length < 2) return first;
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
