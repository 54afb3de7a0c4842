import type { GraphSet } from '../graph/graph-set.ts';
import { noObject } from '../graph/pack-graph.ts';
import type { SetPack } from '../graph/set-pack.ts';
import { objectIdBytes } from '../object/object-id.ts';
import type { PackIndex } from '../pack/pack-index.ts';
import { sortIds } from '../pack/sort-ids.ts';
import { cost } from '../work/costs.ts';
import { entriesAStop, inTurns, stretches, type Steps } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';
import { dead, livenessOf, type Liveness } from './liveness.ts';

/** Contents of a new pack and their sources. Objects of the merged packs are numbered from the first of them. */
export interface MergePlan {
  /** The packs that are merged, oldest first. */
  readonly packs: readonly SetPack[];
  /** Number in the set of the first object of these packs, and of the first node. */
  readonly objectStart: number;
  readonly nodeStart: number;
  /** Numbers in the set of the entries to copy: their ranks are the ordinals in the made pack. From `front` on ascending. */
  readonly objects: Uint32Array;
  /** Number of entries at the front that are not copied: they are new deltas or become whole. */
  readonly front: number;
  /** By object of the merged packs: ordinal in the made pack, also of those that are folded; {@link noObject}: left out. */
  readonly ordinals: Uint32Array;
  /** By ordinal in the made pack: ordinal of the delta base; -1: whole. */
  readonly bases: Int32Array;
  /** By ordinal in the made pack: 20 bytes each. */
  readonly ids: Uint8Array;
  /** Objects that are left out since they are dead. What is stored twice counts once. */
  readonly collected: number;
}

/** Maximum length of a delta chain. Each read of an object reads the whole chain. */
export const chainDepthMax = 50;
/** An object larger than this number of bytes always stays a delta: storing it whole would take too much memory. */
const wholeMax = 8 * 1024 * 1024;

/** Work for copying or comparing an id, and for checking an object, as a number of entries. */
const entriesAnId = 5;
const entriesAVisit = 3;

/** Bytes that a plan takes for each object of the merged packs: ids, their order, and four tables. */
export const plannedPerObject: number = objectIdBytes + 4 + 4 + 4 + 4 + 1;

/**
 * Plans one pack for `packs`, which are adjacent in the set. `indexes` are theirs, in order. Drops dead objects, keeps
 * the oldest of several copies, and chooses bases again among the kept objects.
 *
 * Costs about a microsecond per object of these packs, regardless of the rest of the repository.
 */
export async function planMerge(
  set: GraphSet,
  packs: readonly SetPack[],
  indexes: readonly PackIndex[],
  liveness: Liveness,
  work: Work,
): Promise<MergePlan> {
  const objectStart = packs[0]?.objectStart ?? 0;
  const nodeStart = packs[0]?.nodeStart ?? 0;
  const total = packs.reduce((sum, { graph }) => sum + graph.count, 0);
  const ids = new Uint8Array(total * objectIdBytes);
  let at = 0;
  for (const index of indexes) {
    for (const [from, to] of stretches(index.count)) {
      for (let ordinal = from; ordinal < to; ordinal++, at += objectIdBytes) index.copyId(ordinal, ids, at);
      if (work.spend(cost.entries, entriesAnId * (to - from))) await work.yield();
    }
  }
  const { ordinals, count, collected } = await chooseObjects(set, packs, ids, liveness, work);

  const objects = new Uint32Array(count);
  for (const [from, to] of stretches(total)) {
    for (let i = from; i < to; i++) {
      const ordinal = ordinals[i] as number;
      // A folded object comes after the object that replaces it.
      if (ordinal === noObject || objects[ordinal] !== 0) continue;
      objects[ordinal] = objectStart + i + 1;
      ids.copyWithin(ordinal * objectIdBytes, i * objectIdBytes, (i + 1) * objectIdBytes);
    }
    if (work.spend(cost.entries, entriesAnId * (to - from))) await work.yield();
  }
  for (let ordinal = 0; ordinal < count; ordinal++) objects[ordinal] = (objects[ordinal] as number) - 1;

  const plan = { packs, objectStart, nodeStart, objects, front: 0, ordinals, collected };
  const bases = new Int32Array(count).fill(-1);
  const sizes = new Uint32Array(count);
  const visit = (ordinal: number, pack: SetPack, own: number): void => {
    sizes[ordinal] = pack.graph.sizes[own] as number;
    const base = pack.graph.bases[own] as number;
    if (base < 0) return;
    const kept = ordinals[pack.objectStart + base - objectStart] as number;
    if (kept !== noObject) bases[ordinal] = kept;
  };
  await inTurns(work, cost.entries, eachObject(plan, visit));
  await inTurns(work, cost.entries, cutChains(bases, sizes));
  return { ...plan, bases, ids: ids.subarray(0, count * objectIdBytes) };
}

/** The ordinal of an object in the made pack; -1 if it is not there. */
export function ordinalOf({ objectStart, ordinals }: MergePlan, object: number): number {
  if (object === noObject || object < objectStart || object >= objectStart + ordinals.length) return -1;
  const ordinal = ordinals[object - objectStart] as number;
  return ordinal === noObject ? -1 : ordinal;
}

/** Calls `visit` for every entry of a made pack: with its ordinal there, and its current location. */
export function* eachObject(
  { packs, objects }: Pick<MergePlan, 'packs' | 'objects'>,
  visit: (ordinal: number, pack: SetPack, own: number) => void,
): Steps<void> {
  let pack = packs[0] as SetPack;
  for (const [from, to] of stretches(objects.length)) {
    for (let ordinal = from; ordinal < to; ordinal++) {
      const object = objects[ordinal] as number;
      if (object < pack.objectStart || object >= pack.objectStart + pack.graph.count) {
        pack = packs.findLast(({ objectStart }) => objectStart <= object) as SetPack;
      }
      visit(ordinal, pack, object - pack.objectStart);
    }
    yield entriesAVisit * (to - from);
  }
}

/** Which objects are kept: alive in any copy, and there in the first one. */
async function chooseObjects(
  set: GraphSet,
  packs: readonly SetPack[],
  ids: Uint8Array,
  liveness: Liveness,
  work: Work,
): Promise<{ ordinals: Uint32Array; count: number; collected: number }> {
  const total = ids.length / objectIdBytes;
  const sorted = await sortIds(ids, total, work);
  /** By object: the first copy of it, until all that is kept has its ordinal. */
  const ordinals = new Uint32Array(total);
  const isKept = new Uint8Array(total);
  for (const [from, to] of stretches(total)) {
    for (let rank = from; rank < to; rank++) {
      const i = sorted[rank] as number;
      const before = rank === 0 ? -1 : (sorted[rank - 1] as number);
      ordinals[i] = before >= 0 && isSameId(ids, before, i) ? (ordinals[before] as number) : i;
    }
    if (work.spend(cost.entries, entriesAnId * (to - from))) await work.yield();
  }
  let first = 0;
  for (const pack of packs) {
    for (const [from, to] of stretches(pack.graph.count)) {
      for (let own = from; own < to; own++) {
        if (livenessOf(set, liveness, pack, own) !== dead) isKept[ordinals[first + own] as number] = 1;
      }
      if (work.spend(cost.entries, entriesAVisit * (to - from))) await work.yield();
    }
    first += pack.graph.count;
  }
  let count = 0;
  let collected = 0;
  for (const [from, to] of stretches(total)) {
    for (let i = from; i < to; i++) {
      const kept = ordinals[i] as number;
      if (kept < i) ordinals[i] = ordinals[kept] as number;
      else if (isKept[i] === 1) ordinals[i] = count++;
      else {
        ordinals[i] = noObject;
        collected++;
      }
    }
    if (work.spend(cost.entries, to - from)) await work.yield();
  }
  return { ordinals, count, collected };
}

function isSameId(ids: Uint8Array, a: number, b: number): boolean {
  for (let i = 0; i < objectIdBytes; i++) {
    if (ids[a * objectIdBytes + i] !== ids[b * objectIdBytes + i]) return false;
  }
  return true;
}

const unknown = 0;
const onPath = 255;

/**
 * Makes whole what would stand too far from a whole object. Folding can lengthen chains, and close them to circles
 * where one pack held an object twice.
 */
export function* cutChains(bases: Int32Array, sizes: Uint32Array): Steps<void> {
  /** By ordinal: one more than the length of its chain, as far as a byte tells. */
  const depths = new Uint8Array(bases.length);
  const path: number[] = [];
  let passed = 0;
  for (let start = 0; start < bases.length; start++) {
    passed += entriesAVisit;
    if (passed >= entriesAStop) {
      yield passed;
      passed = 0;
    }
    let next = start;
    while (next >= 0 && depths[next] === unknown) {
      depths[next] = onPath;
      path.push(next);
      passed += entriesAVisit;
      next = bases[next] as number;
    }
    if (next >= 0 && depths[next] === onPath) bases[path.at(-1) as number] = -1;
    for (let ordinal = path.pop(); ordinal !== undefined; ordinal = path.pop()) {
      const base = bases[ordinal] as number;
      const depth = base < 0 ? 0 : (depths[base] as number);
      if (depth > chainDepthMax && (sizes[ordinal] as number) <= wholeMax) {
        bases[ordinal] = -1;
        depths[ordinal] = 1;
      } else {
        depths[ordinal] = Math.min(depth + 1, onPath - 1);
      }
    }
  }
  yield passed;
}
