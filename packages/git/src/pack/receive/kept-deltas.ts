import { slabSize, type BufferPool } from '../buffer-pool.ts';
import type { DeltasAtHand } from '../read/pack-reader.ts';
import type { EntryTables } from './entry-tables.ts';

/** Bytes of one block. The first one of a small budget begins with less, which most small pushes do not fill. */
const blockSize = 1024 * 1024;
const firstSize = 128 * 1024;
const blocksInSlab = slabSize / blockSize;
/** In front of each delta stands its length. */
const lengthSize = 4;
/** A delta larger than this would waste too much of a block's end. */
const deltaMax = blockSize / 16;

/**
 * Inflated deltas that are kept from the first pass to the end, so that most need not be read and inflated again: they
 * are small. Bounded; what does not fit is.
 */
export class KeptDeltas {
  readonly #blocks: Uint8Array[];
  readonly #budget: number;
  readonly #pool: BufferPool;
  readonly #slabs: Uint8Array[] = [];
  /** Start of free room, counted over all blocks. */
  #used = 0;

  /** Holds at most `budget` bytes. `blocks`: those of another thread. */
  constructor(budget: number, pool: BufferPool, blocks: readonly Uint8Array[] = []) {
    this.#budget = budget;
    this.#pool = pool;
    this.#blocks = [...blocks];
  }

  /** All of them, for another thread. */
  get blocks(): readonly Uint8Array[] {
    return this.#blocks;
  }

  /** Returns a place for `size` bytes plus one, with which the inflater detects excess bytes; -1 if none is left. */
  place(size: number): number {
    if (size > deltaMax) return -1;
    const inBlock = this.#used % blockSize;
    const needed = lengthSize + size + 1;
    const start = inBlock + needed > blockSize ? this.#used - inBlock + blockSize : this.#used;
    if (start + needed > this.#blocks.length * blockSize) {
      if ((this.#blocks.length + 1) * blockSize > this.#budget) return -1;
      this.#blocks.push(this.#newBlock());
    }
    if (start < blockSize) this.#growFirst(start + needed);
    const place = start + lengthSize;
    const block = this.block(place);
    for (let i = 0; i < lengthSize; i++) block[(start % blockSize) + i] = (size >>> (8 * i)) & 255;
    this.#used = place + size;
    return place;
  }

  /** The bytes at a place that was filled. */
  bytes(place: number): Uint8Array {
    const block = this.block(place);
    const at = place % blockSize;
    let size = 0;
    for (let i = 0; i < lengthSize; i++) size |= (block[at - lengthSize + i] as number) << (8 * i);
    return block.subarray(at, at + size);
  }

  /** The block that holds a place, and in it {@link KeptDeltas.at}. */
  block(place: number): Uint8Array {
    return this.#blocks[Math.floor(place / blockSize)] as Uint8Array;
  }

  at(place: number): number {
    return place % blockSize;
  }

  /** Gives its buffers back, after which no delta may be looked for. */
  release(): void {
    for (const slab of this.#slabs) this.#pool.give(slab);
    this.#slabs.length = 0;
  }

  #growFirst(needed: number): void {
    const first = this.#blocks[0] as Uint8Array;
    if (needed <= first.length) return;
    const whole = new Uint8Array(blockSize);
    whole.set(first);
    this.#blocks[0] = whole;
  }

  /** A piece of a slab, where the budget is for a whole one. */
  #newBlock(): Uint8Array {
    const { length } = this.#blocks;
    const inSlab = length % blocksInSlab;
    if ((length - inSlab) * blockSize + slabSize > this.#budget) {
      return new Uint8Array(length === 0 ? firstSize : blockSize);
    }
    if (inSlab === 0) this.#slabs.push(this.#pool.take());
    const slab = this.#slabs.at(-1) as Uint8Array;
    return slab.subarray(inSlab * blockSize, (inSlab + 1) * blockSize);
  }
}

/** Finds the deltas that are kept, for a reader of the pack. */
export function deltasAtHand(tables: EntryTables, deltas: KeptDeltas): DeltasAtHand {
  return {
    find(ordinal) {
      const place = tables.kept[ordinal] as number;
      const base = tables.bases[ordinal] as number;
      return place < 0 || base < 0 ? undefined : { delta: deltas.bytes(place), base };
    },
  };
}
