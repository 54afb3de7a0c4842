/** Bytes of one block. */
const blockSize = 1024 * 1024;
/** A delta larger than this would waste too much of a block's end. */
const deltaMax = blockSize / 16;

/**
 * Inflated deltas that are kept from the first pass to the second, so that most need not be inflated twice: they are
 * small. Bounded; what does not fit is read and inflated again.
 */
export class KeptDeltas {
  readonly #blocks: Uint8Array[] = [];
  readonly #budget: number;
  /** Start of free room, counted over all blocks. */
  #used = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** A place for `size` bytes and one more, for the inflater to show that there is no more; -1 if there is none. */
  place(size: number): number {
    if (size > deltaMax) return -1;
    const inBlock = this.#used % blockSize;
    const place = inBlock + size + 1 > blockSize ? this.#used - inBlock + blockSize : this.#used;
    if (place + size + 1 > this.#blocks.length * blockSize) {
      if ((this.#blocks.length + 1) * blockSize > this.#budget) return -1;
      this.#blocks.push(new Uint8Array(blockSize));
    }
    this.#used = place + size;
    return place;
  }

  /** The block that holds a place, and in it {@link KeptDeltas.at}. */
  block(place: number): Uint8Array {
    return this.#blocks[Math.floor(place / blockSize)] as Uint8Array;
  }

  at(place: number): number {
    return place % blockSize;
  }
}
