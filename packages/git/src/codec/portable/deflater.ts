import { Z_FINISH, Z_OK, Z_STREAM_END, zlibDeflate, zlibDeflateInit, zlibDeflateReset, ZStream } from 'pako';

/** Bytes that one turn of the compressor may write. */
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

  /** A whole zlib stream. @throws RangeError for a level that is no integer of 0 to 9. */
  deflate(bytes: Uint8Array, level: number): Uint8Array {
    const stream = this.#streamOf(level);
    stream.input = bytes;
    stream.next_in = 0;
    stream.avail_in = bytes.length;
    const parts: Uint8Array[] = [];
    let ended = false;
    while (!ended) {
      stream.output = this.#turn;
      stream.next_out = 0;
      stream.avail_out = turnMax;
      const status = zlibDeflate(stream, Z_FINISH);
      if (status !== Z_OK && status !== Z_STREAM_END) throw new Error(`The compressor failed: ${stream.msg}`);
      ended = status === Z_STREAM_END;
      parts.push(this.#turn.slice(0, stream.next_out));
    }
    stream.input = nothing;
    return joined(parts);
  }

  #streamOf(level: number): ZStream {
    if (this.#stream !== undefined && level === this.#level) {
      zlibDeflateReset(this.#stream);
      return this.#stream;
    }
    if (!Number.isInteger(level) || level < 0 || level > 9) throw new RangeError(`${level} is no level of zlib.`);
    const stream = new ZStream();
    zlibDeflateInit(stream, level);
    this.#stream = stream;
    this.#level = level;
    return stream;
  }
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
