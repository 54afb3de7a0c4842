import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';

/** Tables that describe how the objects of a pack are stored: parts of a `PackGraph`. */
export interface StoredForm {
  readonly offsets: ArrayLike<number>;
  readonly bases: ArrayLike<number>;
  readonly sizes: ArrayLike<number>;
}

/** Number of bytes that reading an object may take without its own reservation. */
export const usualReading: number = 8 * 1024 * 1024;

/** Maximum inflated bytes per compressed byte of a zlib stream. */
const inflatedPerByte = 1032;

/** Work for one link of a chain, as a number of entries. */
const entriesALink = 3;

/**
 * Bytes it takes at most to read an object of a pack in full, as its graph tells without a look at the pack: of each step
 * along its chain of deltas the base, the stored entry, the delta, which is hardly larger than what it makes, and that.
 * `work` counts the links; who reads many objects yields in between.
 */
export function readingMemory(pack: StoredForm, ordinal: number, work?: Work): number {
  const { bases } = pack;
  let most = 0;
  let links = 0;
  for (let one = ordinal; one >= 0 && links < bases.length; one = bases[one] as number, links++) {
    most = Math.max(most, readingLink(pack, one));
  }
  work?.spend(cost.entries, entriesALink * links);
  return most;
}

/** Bytes that one step of that takes: the one in which an object is made of its base. */
export function readingLink({ offsets, bases, sizes }: StoredForm, ordinal: number): number {
  const base = bases[ordinal] as number;
  const size = sizes[ordinal] as number;
  const stored = (offsets[ordinal + 1] as number) - (offsets[ordinal] as number);
  return stored + size + (base < 0 ? 0 : Math.min(size, inflatedPerByte * stored) + (sizes[base] as number));
}

const largest = new WeakMap<StoredForm, number>();

/** Tests if reading some object of a pack may take more than {@link usualReading}; computed once. */
export function hasLargeReadings(pack: StoredForm): boolean {
  let found = largest.get(pack);
  if (found === undefined) {
    found = 0;
    for (let i = 0; i < pack.sizes.length; i++) found = Math.max(found, pack.sizes[i] as number);
    largest.set(pack, found);
  }
  return isLargeReading(found);
}

/** Tests if reading an object may take more than {@link usualReading}, by the largest size in its pack. */
export function isLargeReading(largestSize: number): boolean {
  // An entry may be twice as long as its content, and 64 KiB (GIT-143).
  return 5 * largestSize + 64 * 1024 > usualReading;
}
