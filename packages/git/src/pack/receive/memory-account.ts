import type { MemoryShare } from './incoming-pack.ts';

/**
 * Accounts for the memory of one buffer beyond the plan of its request. A large object is accounted separately. It is
 * refused at once if memory is short, since waiting would keep this request's memory from others.
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
