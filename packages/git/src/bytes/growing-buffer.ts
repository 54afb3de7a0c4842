/** One buffer that is used again and again, and grows with what really comes, not with what is declared. */
export class GrowingBuffer {
  bytes: Uint8Array;
  readonly #usual: number;

  /** `usual`: bytes that it starts with, and falls back to. */
  constructor(usual: number) {
    this.#usual = usual;
    this.bytes = new Uint8Array(usual);
  }

  /** Makes room for `needed` bytes in all, keeping the first `used`: at most twice what is used, or `needed`. */
  grow(used: number, needed: number): void {
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(Math.min(needed, Math.max(2 * used, this.#usual)));
    larger.set(this.bytes.subarray(0, used));
    this.bytes = larger;
  }

  /** Makes room for `needed` bytes at once; what it holds is lost. */
  fit(needed: number): void {
    if (needed > this.bytes.length) this.bytes = new Uint8Array(needed);
  }

  /** Lets go of what one large object needed. */
  shrink(): void {
    if (this.bytes.length > 8 * this.#usual) this.bytes = new Uint8Array(this.#usual);
  }
}
