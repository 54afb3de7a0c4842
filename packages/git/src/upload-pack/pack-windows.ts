import type { GraphSet } from '../graph/graph-set.ts';
import type { SetPack } from '../graph/set-pack.ts';
import type { PackRecord } from '../ports/repo-state.ts';

/**
 * A stretch of a stored pack that is read at once: it holds the entries of the plan from rank `first` to rank `last`,
 * and others between them where skipping them would cost more than reading them.
 */
export interface PackWindow {
  readonly pack: SetPack;
  readonly first: number;
  readonly last: number;
  /** Where the window begins in the pack. */
  readonly start: number;
  readonly length: number;
}

/** Entries further apart are read apart. */
const gapMax = 128 * 1024;
/** A window ends when it would grow over this; a larger entry has one of its own. */
const windowMax = 1024 * 1024;

/** The windows of ascending object numbers. */
export function* packWindows(set: GraphSet, objects: Uint32Array): Generator<PackWindow, void, undefined> {
  let rank = 0;
  for (const pack of set.packs) {
    const packEnd = pack.objectStart + pack.graph.count;
    const { offsets } = pack.graph;
    while (rank < objects.length && (objects[rank] as number) < packEnd) {
      const first = rank;
      const start = offsets[(objects[rank] as number) - pack.objectStart] as number;
      let end = offsets[(objects[rank] as number) - pack.objectStart + 1] as number;
      for (rank++; rank < objects.length && (objects[rank] as number) < packEnd; rank++) {
        const ordinal = (objects[rank] as number) - pack.objectStart;
        const nextEnd = offsets[ordinal + 1] as number;
        if ((offsets[ordinal] as number) - end > gapMax || nextEnd - start > windowMax) break;
        end = nextEnd;
      }
      yield { pack, first, last: rank - 1, start, length: end - start };
    }
  }
}

/** The packs that hold ascending object numbers from rank `first` on, in order. */
export function* packsFrom(set: GraphSet, objects: Uint32Array, first: number): Generator<PackRecord, void, undefined> {
  let rank = first;
  while (rank < objects.length) {
    const pack = set.packOfObject(objects[rank] as number);
    yield pack.record;
    rank = firstAtLeast(objects, pack.objectStart + pack.graph.count, rank);
  }
}

function firstAtLeast(objects: Uint32Array, value: number, from: number): number {
  let low = from;
  let high = objects.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((objects[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
