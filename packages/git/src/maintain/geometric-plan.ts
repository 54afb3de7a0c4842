import type { PackRecord } from '../ports/repo-state.ts';

/** Packs that follow each other in a manifest: from `from` to `to`, exclusive. */
export interface PackRun {
  readonly from: number;
  readonly to: number;
}

/** Limits of a pack that a merge makes. */
export interface MergeLimits {
  /** Bytes of the merged packs. */
  readonly bytes: number;
  /** Objects of the merged packs. */
  readonly objects: number;
}

/** How many times the objects of all newer packs an older one must have. */
const factor = 2;
/** How many times the objects of a borrowed pack the packs that are newer and not borrowed must have to take it in. */
const borrowedFactor = 2;

/**
 * The packs to merge next, so that each has at least twice the objects of all newer ones together: the shortest run at
 * the new end that mends this, without what would make a pack beyond `limits`. Undefined: nothing to do.
 *
 * With that rule n packs of one object become about log3(n) packs, and an object is copied about log1.5(n) times in
 * all. Where a limit is met, there may be up to two packs besides for each time that all packs together have it.
 *
 * What came by a fork is shared with others as long as it is not copied. So borrowed packs, which are older than all
 * others, count only for what is merged into one, and are taken in once so much has come in since that the copy of them
 * is the smaller part of what is written.
 */
export function geometricRun(
  packs: readonly Pick<PackRecord, 'objects' | 'packSize' | 'borrowed'>[],
  limits: MergeLimits,
): PackRun | undefined {
  // What is too large to be merged hides small packs behind it: so the new end is looked for further back, too.
  for (let to = packs.length; to >= 2; to--) {
    let from = -1;
    let newer = 0;
    let left: MergeLimits = limits;
    for (let i = to - 1; i >= 0; i--) {
      const { objects, packSize, borrowed } = packs[i] as PackRecord;
      left = { bytes: left.bytes - packSize, objects: left.objects - objects };
      if (left.bytes < 0 || left.objects < 0) break;
      const isBorrowed = borrowed !== 'no';
      const isTooSmall = isBorrowed ? newer > 0 && borrowedFactor * objects <= newer : objects < factor * newer;
      if (i < to - 1 && isTooSmall) from = i;
      if (!isBorrowed) newer += objects;
    }
    if (from >= 0) return { from, to };
  }
  return undefined;
}

/**
 * Runs of the packs that are not borrowed, newest first, each of which may become one within `limits`; a pack beyond
 * them stands alone.
 */
export function largestRuns(
  packs: readonly Pick<PackRecord, 'objects' | 'packSize' | 'borrowed'>[],
  limits: MergeLimits,
): readonly PackRun[] {
  const runs: PackRun[] = [];
  const first = packs.findLastIndex(({ borrowed }) => borrowed !== 'no') + 1;
  for (let to = packs.length; to > first;) {
    let from = to;
    let { bytes, objects } = limits;
    do {
      const pack = packs[--from] as PackRecord;
      bytes -= pack.packSize;
      objects -= pack.objects;
    } while (
      from > first &&
      (packs[from - 1] as PackRecord).packSize <= bytes &&
      (packs[from - 1] as PackRecord).objects <= objects
    );
    runs.push({ from, to });
    to = from;
  }
  return runs;
}
