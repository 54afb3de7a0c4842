import type { GraphSet } from '../../graph/graph-set.ts';
import type { SetPack } from '../../graph/set-pack.ts';
import type { PackRecord } from '../../ports/repo-state.ts';

/**
 * A stretch of a stored pack that is read at once: it holds the entries of the plan from rank `first` to rank `last`,
 * and others between them where skipping them would cost more than reading them.
 */
export interface PackWindow {
  readonly pack: SetPack;
  readonly first: number;
  readonly last: number;
  /** Start of the window in the pack. */
  readonly start: number;
  readonly length: number;
}

/** Entries further apart are read apart. */
const gapMax = 128 * 1024;
/** With more windows than this in one pack, it is cheaper to read all between its first and last entry. */
const windowsMax = 256;

/** The windows of ascending object numbers. */
export function* packWindows(
  set: GraphSet,
  objects: Uint32Array,
  windowMax: number,
): Generator<PackWindow, void, undefined> {
  let rank = 0;
  for (const pack of set.packs) {
    const first = rank;
    rank = firstAtLeast(objects, pack.objectStart + pack.graph.count, first);
    let count = 0;
    for (const _ of windowsOf(pack, objects, first, rank, gapMax, windowMax)) if (++count > windowsMax) break;
    if (count <= windowsMax) yield* windowsOf(pack, objects, first, rank, gapMax, windowMax);
    else yield* windowsOf(pack, objects, first, rank, Infinity, windowMax);
  }
}

/** The windows of one pack, for the ranks from `rank` up to `end`, exclusive. */
function* windowsOf(
  pack: SetPack,
  objects: Uint32Array,
  rank: number,
  end: number,
  gap: number,
  windowMax: number,
): Generator<PackWindow, void, undefined> {
  const { offsets } = pack.graph;
  for (let next = rank; next < end;) {
    const first = next;
    const start = offsets[(objects[first] as number) - pack.objectStart] as number;
    let stop = offsets[(objects[first] as number) - pack.objectStart + 1] as number;
    for (next++; next < end; next++) {
      const ordinal = (objects[next] as number) - pack.objectStart;
      const nextEnd = offsets[ordinal + 1] as number;
      if ((offsets[ordinal] as number) - stop > gap || nextEnd - start > windowMax) break;
      stop = nextEnd;
    }
    yield { pack, first, last: next - 1, start, length: stop - start };
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
