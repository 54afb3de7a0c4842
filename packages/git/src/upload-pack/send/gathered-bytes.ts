/** Bytes that are sent, and hashed, together. */
const gatheredSize = 64 * 1024;
/** Longer pieces are not copied. */
const pieceMax = 16 * 1024;

/** Gathers short pieces, so that each hash, packet and write has many of them. */
export class GatheredBytes {
  readonly #buffer = new Uint8Array(gatheredSize);
  #length = 0;

  /** Copies the bytes from `from` up to `to`, exclusive. Returns false, without a copy, if they must {@link pass}. */
  add(bytes: Uint8Array, from: number, to: number): boolean {
    const length = to - from;
    if (length > pieceMax || length > gatheredSize - this.#length) return false;
    if (length > 0) this.#buffer.set(bytes.subarray(from, to), this.#length);
    this.#length += length;
    return true;
  }

  /** Yields what was gathered, and keeps the bytes from `from` up to `to`, or yields them if they are many. */
  *pass(bytes: Uint8Array, from: number, to: number): Generator<Uint8Array, void, undefined> {
    if (this.#length > 0) yield this.take();
    if (!this.add(bytes, from, to)) yield bytes.subarray(from, to);
  }

  /** Returns what was gathered, perhaps nothing; valid until more is added. */
  take(): Uint8Array {
    const taken = this.#buffer.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }
}
