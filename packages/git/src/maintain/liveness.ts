import type { GraphSet } from '../graph/graph-set.ts';
import { noObject } from '../graph/pack-graph.ts';
import { paint } from '../graph/paint.ts';
import { globalObject, type SetPack } from '../graph/set-pack.ts';
import { objectIdBytes } from '../object/object-id.ts';
import type { PackRecord, RetiredTip } from '../ports/repo-state.ts';
import type { RefSlice } from '../refs/packed-refs.ts';
import { cost } from '../work/costs.ts';
import { entriesAStop, inTurns, stretches, type Steps } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';

/** Collectable: no ref or object has needed it for longer than the grace period. */
export const dead = 0;
/** A ref reaches it. */
export const reached = 1;
/** No ref reaches it, but the grace period has not ended yet. */
export const waiting = 2;

/** Liveness of a set's contents, one byte each: {@link dead}, {@link reached} or {@link waiting}. */
export interface Liveness {
  /** By node. A node that an older pack also has is judged as that one. */
  readonly nodes: Uint8Array;
  /** By object. An object that is stored twice is judged by its oldest home, see {@link livenessOf}. */
  readonly objects: Uint8Array;
  /** In the order of the set. */
  readonly packs: readonly PackLiveness[];
}

/** Tells if a pack has any object or node in a state. */
export interface PackLiveness {
  readonly dead: boolean;
  readonly waiting: boolean;
}

/** Protects unreachable objects from collection. Times are milliseconds since 1970. */
export interface Grace {
  /** All tips that may be younger than the grace period. */
  readonly tips: readonly RetiredTip[];
  /** Objects younger than this are not collected. */
  readonly before: number;
}

/** Work for finding the home of an ordinal and the node of an id, as a number of entries. */
const entriesAHome = 4;
const entriesALookUp = 32;

/**
 * Judges everything that is stored (GIT-127, LIM-064): needed is what refs, retired tips younger than the grace and the
 * nodes of packs younger than it reach, and all that such packs hold; but of a pack that belongs to the repository in
 * part (GIT-154) only what is reached is needed, since all else in it never was its own. That is read off the graph
 * (`docs/design/graph.md`, "What follows", 4): no object is opened.
 *
 * Costs about 12 ns a node and 10 ns an object of the whole repository, and a byte of memory each.
 */
export async function judge(
  set: GraphSet,
  records: readonly PackRecord[],
  refs: AsyncIterable<RefSlice> | Iterable<RefSlice>,
  grace: Grace,
  work: Work,
): Promise<Liveness> {
  await set.loadNodes(work);
  const homes = await inTurns(work, cost.entries, nodeHomes(set));
  const nodes = new Uint8Array(set.nodeCount);
  await paint(work, set, await values(set, refs, work), nodes, reached);
  const young = set.packs.filter((_, i) => isYoung(records[i], grace));
  const tips = grace.tips.filter(({ at }) => at > grace.before);
  await paint(work, set, await found(set, tips, work), nodes, waiting);
  for (const pack of young) await paint(work, set, nodesOf(pack, homes), nodes, waiting);
  for (const [node, home] of homes) nodes[node] = nodes[home] as number;

  const objects = new Uint8Array(set.objectCount);
  for (const pack of set.packs) await inTurns(work, cost.entries, marking(set, pack, nodes, objects));
  for (const pack of young) {
    for (const [from, to] of stretches(pack.graph.count)) {
      for (let ordinal = from; ordinal < to; ordinal++) mark(objects, set.home(pack, ordinal), waiting);
      if (work.spend(cost.entries, 2 * (to - from))) await work.yield();
    }
  }
  const packs: PackLiveness[] = [];
  for (const pack of set.packs) packs.push(await inTurns(work, cost.entries, packLiveness(set, pack, nodes, objects)));
  return { nodes, objects, packs };
}

function isYoung(pack: PackRecord | undefined, { before }: Grace): boolean {
  return pack !== undefined && pack.at > before && pack.borrowed !== 'part';
}

/** Returns the liveness of one copy of an object. */
export function livenessOf(set: GraphSet, { objects }: Liveness, pack: SetPack, ordinal: number): number {
  return objects[set.home(pack, ordinal)] as number;
}

/** Marks the objects of the nodes of a pack, and the objects that the nodes introduce. */
function* marking(set: GraphSet, pack: SetPack, nodes: Uint8Array, objects: Uint8Array): Steps<void> {
  const { graph, nodeStart } = pack;
  let passed = 0;
  for (let node = 0; node < graph.nodeCount; node++) {
    const state = nodes[nodeStart + node] as number;
    passed++;
    if (state !== dead) {
      mark(objects, set.nodeObjects[nodeStart + node] as number, state);
      const start = graph.listStarts[node] as number;
      const end = graph.listStarts[node + 1] as number;
      for (let i = start; i < end; i++) mark(objects, globalObject(pack, graph.lists[i] as number), state);
      passed += end - start;
    }
    if (passed < entriesAStop) continue;
    yield passed;
    passed = 0;
  }
  yield passed;
}

function mark(objects: Uint8Array, object: number, state: number): void {
  if (object !== noObject && objects[object] !== reached) objects[object] = state;
}

function* packLiveness(set: GraphSet, pack: SetPack, nodes: Uint8Array, objects: Uint8Array): Steps<PackLiveness> {
  const { graph, objectStart, nodeStart, late } = pack;
  const states = nodes.subarray(nodeStart, nodeStart + graph.nodeCount);
  if (late.size === 0 && graph.duplicates.length === 0) {
    const own = objects.subarray(objectStart, objectStart + graph.count);
    return {
      dead: own.includes(dead) || states.includes(dead),
      waiting: own.includes(waiting) || states.includes(waiting),
    };
  }
  const found = [false, false, false];
  for (const [from, to] of stretches(graph.count)) {
    for (let ordinal = from; ordinal < to; ordinal++) found[objects[set.home(pack, ordinal)] as number] = true;
    yield entriesAHome * (to - from);
  }
  return {
    dead: found[dead] === true || states.includes(dead),
    waiting: found[waiting] === true || states.includes(waiting),
  };
}

/** The nodes that refs point to. */
async function values(
  set: GraphSet,
  refs: AsyncIterable<RefSlice> | Iterable<RefSlice>,
  work: Work,
): Promise<readonly number[]> {
  const nodes: number[] = [];
  for await (const { refs: packed, from, to } of refs) {
    for (let i = from; i < to; i++) {
      const node = set.findNode(packed.oids, i * objectIdBytes);
      if (node >= 0) nodes.push(node);
    }
    if (work.spend(cost.steps, to - from)) await work.yield();
  }
  return nodes;
}

async function found(
  set: GraphSet,
  named: readonly { readonly oid: RetiredTip['oid'] }[],
  work: Work,
): Promise<number[]> {
  const nodes: number[] = [];
  for (const { oid } of named) {
    if (work.spend(cost.steps)) await work.yield();
    const node = set.findNodeById(oid);
    if (node >= 0) nodes.push(node);
  }
  return nodes;
}

function* nodesOf(
  { nodeStart, graph }: SetPack,
  homes: ReadonlyMap<number, number>,
): Generator<number, void, undefined> {
  for (let node = nodeStart; node < nodeStart + graph.nodeCount; node++) yield homes.get(node) ?? node;
}

/** Nodes that an older pack has, too: history leads to the older ones alone, and to the newer by nothing. */
function* nodeHomes(set: GraphSet): Steps<ReadonlyMap<number, number>> {
  const homes = new Map<number, number>();
  for (const { objectStart, nodeStart, graph } of set.packs) {
    for (const [from, to] of stretches(graph.nodeCount)) {
      let passed = to - from;
      for (let rank = from; rank < to; rank++) {
        const node = nodeStart + (graph.nodesById[rank] as number);
        // Only what has its object in an older pack can have a node there.
        if ((set.nodeObjects[node] as number) >= objectStart) continue;
        passed += entriesALookUp;
        const home = set.findNode(graph.nodeIds, rank * objectIdBytes);
        if (home >= 0 && home < node) homes.set(node, home);
      }
      yield passed;
    }
  }
  return homes;
}
