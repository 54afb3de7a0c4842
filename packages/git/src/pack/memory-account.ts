import type { MemoryShare } from './incoming-pack.ts';

/**
 * What one buffer takes of a request's memory beyond what was planned for it: a large object is paid for on its own, and
 * refused where there is no room at once, since waiting would keep from others what this request already has.
 */
export class MemoryAccount {
  readonly #share: MemoryShare | undefined;
  readonly #planned: number;
  #extra = 0;

  constructor(share: MemoryShare | undefined, planned: number) {
    this.#share = share;
    this.#planned = planned;
  }

  /**
   * The buffer is going to have `bytes` in all.
   *
   * @throws {NotEnoughMemoryError}
   */
  set(bytes: number): void {
    const extra = Math.max(0, bytes - this.#planned);
    if (extra > this.#extra) this.#share?.grow(extra - this.#extra);
    if (extra < this.#extra) this.#share?.shrink(this.#extra - extra);
    this.#extra = extra;
  }
}
