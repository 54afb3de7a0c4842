/** Bytes of a piece, except the last one. */
export const pieceSize: number = 64 * 1024;

/** Joins bytes to pieces of {@link pieceSize}, each in a new buffer: a reply of many small pieces is slow. */
export class JoinedPieces {
  #full: Uint8Array[] = [];
  #piece: Uint8Array = new Uint8Array(pieceSize);
  #used = 0;
  #total = 0;

  /** Bytes that were added in total. */
  get total(): number {
    return this.#total;
  }

  /** True if a piece is full. */
  get isFull(): boolean {
    return this.#full.length > 0;
  }

  /** Copies the bytes. */
  add(bytes: Uint8Array): void {
    this.#total += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + pieceSize - this.#used);
      this.#piece.set(part, this.#used);
      at += part.length;
      this.#skip(part.length);
    }
  }

  /** Adds zeros up to a multiple of `size`. */
  fillUp(size: number): void {
    let missing = (size - (this.#total % size)) % size;
    this.#total += missing;
    while (missing > 0) {
      const part = Math.min(missing, pieceSize - this.#used);
      missing -= part;
      this.#skip(part);
    }
  }

  /** Yields the pieces that are full. */
  *filled(): Generator<Uint8Array, void, undefined> {
    const full = this.#full;
    this.#full = [];
    yield* full;
  }

  /** Yields what is left at the end. */
  *rest(): Generator<Uint8Array, void, undefined> {
    if (this.#used > 0) yield this.#piece.subarray(0, this.#used);
  }

  /** The bytes that are skipped hold zeros, or were written. */
  #skip(bytes: number): void {
    this.#used += bytes;
    if (this.#used < pieceSize) return;
    this.#full.push(this.#piece);
    this.#piece = new Uint8Array(pieceSize);
    this.#used = 0;
  }
}
