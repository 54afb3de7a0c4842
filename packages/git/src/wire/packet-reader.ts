import { concatenate } from '../bytes/concatenate.ts';
import { lengthDigits, packetMax, type Packet } from './pkt-line.ts';
import { MalformedRequestError, RequestTooLargeError } from './request-error.ts';

const flush: Packet = { kind: 'flush' };
const delim: Packet = { kind: 'delim' };
const nothing = new Uint8Array(0);

/**
 * Splits the body of a request into packets and the bytes after them. Holds one chunk of the body, or one packet if
 * that spans chunks.
 */
export class PacketReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #limit: number;
  /** Called with the additional memory that parsed data needs for the duration of the request. */
  readonly keep: (bytes: number) => void;
  #chunk: Uint8Array = nothing;
  #at = 0;
  #received = 0;

  /**
   * @param limit maximum bytes of the whole body (LIM-052, LIM-057).
   * @param keep may throw, which ends the reading. Default: no accounting. A `ReadableStream` can be the body, since it
   * is iterable.
   */
  constructor(body: AsyncIterable<Uint8Array>, limit: number = Infinity, keep: (bytes: number) => void = () => {}) {
    this.#chunks = body[Symbol.asyncIterator]();
    this.#limit = limit;
    this.keep = keep;
  }

  /** Number of bytes of the body that were read. */
  get received(): number {
    return this.#received;
  }

  /**
   * Returns the next packet if it has fully arrived, else `undefined`. Saves a promise per packet:
   * `reader.buffered() ?? (await reader.read())`.
   *
   * @throws {MalformedRequestError} for an invalid length (GIT-016).
   */
  buffered(): Packet | undefined {
    const chunk = this.#chunk;
    const at = this.#at;
    if (chunk.length - at < lengthDigits) return undefined;
    const length = packetLength(chunk, at);
    if (length < lengthDigits) {
      this.#at = at + lengthDigits;
      return length === 0 ? flush : delim;
    }
    if (chunk.length - at < length) return undefined;
    this.#at = at + length;
    return { kind: 'data', bytes: chunk.subarray(at + lengthDigits, at + length) };
  }

  /**
   * Returns the next packet; `undefined` at the end of the body.
   *
   * @throws {MalformedRequestError} for an invalid length, or a body that ends inside a packet (GIT-016).
   * @throws {RequestTooLargeError} above the limit.
   */
  async read(): Promise<Packet | undefined> {
    const packet = this.buffered();
    if (packet !== undefined) return packet;
    if (!(await this.#gather(lengthDigits))) {
      if (this.#chunk.length === this.#at) return undefined;
      throw new MalformedRequestError('the body ends inside a packet');
    }
    const length = packetLength(this.#chunk, this.#at);
    if (length > lengthDigits && !(await this.#gather(length))) {
      throw new MalformedRequestError('the body ends inside a packet');
    }
    return this.buffered();
  }

  /** Yields the rest of the body after the packets read so far, without copying. Do not use the reader after this. */
  async *rest(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      if (this.#at < this.#chunk.length) yield this.#chunk.subarray(this.#at);
      this.#chunk = nothing;
      this.#at = 0;
      while (await this.#pull()) {
        if (this.#chunk.length > 0) yield this.#chunk;
      }
    } finally {
      await this.cancel();
    }
  }

  /** Stops reading the body, without reading the rest. */
  async cancel(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Collects `length` bytes in the current chunk; false if the body ends before that. */
  async #gather(length: number): Promise<boolean> {
    if (this.#chunk.length - this.#at >= length) return true;
    const start = this.#chunk.subarray(this.#at);
    const parts = start.length > 0 ? [start] : [];
    let size = start.length;
    while (size < length && (await this.#pull())) {
      parts.push(this.#chunk);
      size += this.#chunk.length;
    }
    this.#chunk = concatenate(parts);
    this.#at = 0;
    return size >= length;
  }

  /** Makes the next chunk of the body the current one; false at the end. */
  async #pull(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#received += next.value.length;
    if (this.#received > this.#limit) throw new RequestTooLargeError(this.#limit);
    this.#chunk = next.value;
    this.#at = 0;
    return true;
  }
}

/** 0 for a flush, 1 for a delimiter, else the whole length of the packet at `at`. */
function packetLength(chunk: Uint8Array, at: number): number {
  let length = 0;
  for (let i = at; i < at + lengthDigits; i++) length = length * 16 + hexValue(chunk[i] as number);
  if (Number.isNaN(length)) throw new MalformedRequestError('a packet length is not hexadecimal');
  if (length === 2 || length === 3 || length > packetMax) {
    throw new MalformedRequestError(`no packet has the length ${length}`);
  }
  return length;
}

function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : NaN;
}
