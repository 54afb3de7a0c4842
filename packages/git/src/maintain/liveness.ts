import type { GraphSet } from '../graph/graph-set.ts';
import { noObject } from '../graph/pack-graph.ts';
import { paint } from '../graph/paint.ts';
import { globalObject, type SetPack } from '../graph/set-pack.ts';
import { objectIdBytes } from '../object/object-id.ts';
import type { PackRecord, RepoSnapshot, RetiredTip } from '../ports/repo-state.ts';
import type { Turns } from '../turns.ts';

/** What may be collected: nothing needs it, and it has been so for longer than the grace. */
export const dead = 0;
/** A ref reaches it. */
export const reached = 1;
/** No ref reaches it, but not for long enough. */
export const waiting = 2;

/** What of a set is still needed: one byte each, {@link dead}, {@link reached} or {@link waiting}. */
export interface Liveness {
  /** By node. One that an older pack has too is judged as that one. */
  readonly nodes: Uint8Array;
  /** By object. Of one that is stored twice its oldest home is judged, see {@link livenessOf}. */
  readonly objects: Uint8Array;
  /** In the order of the set. */
  readonly packs: readonly PackLiveness[];
}

/** Whether a pack holds any object or node that is ... */
export interface PackLiveness {
  readonly dead: boolean;
  readonly waiting: boolean;
}

/** What keeps things alive that no ref reaches. Times are milliseconds since 1970. */
export interface Grace {
  /** All tips that may be younger than the grace. */
  readonly tips: readonly RetiredTip[];
  /** What is younger than this is not collected. */
  readonly before: number;
}

/** Nodes that are looked at between two questions whether the turn is over. */
const aStep = 1024;

/**
 * Judges everything that is stored (GIT-127, LIM-064): needed is what refs, retired tips younger than the grace and the
 * nodes of packs younger than it reach, and all that such packs hold; but of a pack that belongs to the repository in
 * part (GIT-154) only what is reached is needed, since all else in it never was its own. That is read off the graph
 * (`docs/design/graph.md`, "What follows", 4): no object is opened.
 *
 * Costs about 12 ns a node and 10 ns an object of the whole repository, and a byte of memory each.
 */
export async function judge(set: GraphSet, snapshot: RepoSnapshot, grace: Grace, turns: Turns): Promise<Liveness> {
  const homes = nodeHomes(set);
  const nodes = new Uint8Array(set.nodeCount);
  paint(set, found(set, snapshot.refs), nodes, reached);
  const young = set.packs.filter((_, i) => isYoung(snapshot.packs[i], grace));
  const tips = grace.tips.filter(({ at }) => at > grace.before);
  paint(set, found(set, tips), nodes, waiting);
  for (const pack of young) paint(set, nodesOf(pack, homes), nodes, waiting);
  for (const [node, home] of homes) nodes[node] = nodes[home] as number;

  const objects = new Uint8Array(set.objectCount);
  for (const pack of set.packs) {
    for (let node = 0; node < pack.graph.nodeCount; node += aStep) {
      markListed(set, pack, nodes, objects, node, Math.min(node + aStep, pack.graph.nodeCount));
      if (turns.due()) await turns.pass();
    }
  }
  for (const pack of young) {
    for (let ordinal = 0; ordinal < pack.graph.count; ordinal++) mark(objects, set.home(pack, ordinal), waiting);
  }
  const packs: PackLiveness[] = [];
  for (const pack of set.packs) {
    packs.push(packLiveness(set, pack, nodes, objects));
    if (turns.due()) await turns.pass();
  }
  return { nodes, objects, packs };
}

function isYoung(pack: PackRecord | undefined, { before }: Grace): boolean {
  return pack !== undefined && pack.at > before && pack.borrowed !== 'part';
}

/** Of one copy of an object. */
export function livenessOf(set: GraphSet, { objects }: Liveness, pack: SetPack, ordinal: number): number {
  return objects[set.home(pack, ordinal)] as number;
}

/** Marks what the nodes `from` up to `to`, exclusive, of a pack are and introduce. */
function markListed(
  set: GraphSet,
  pack: SetPack,
  nodes: Uint8Array,
  objects: Uint8Array,
  from: number,
  to: number,
): void {
  const { graph, nodeStart } = pack;
  for (let node = from; node < to; node++) {
    const state = nodes[nodeStart + node] as number;
    if (state === dead) continue;
    mark(objects, set.nodeObjects[nodeStart + node] as number, state);
    const end = graph.listStarts[node + 1] as number;
    for (let i = graph.listStarts[node] as number; i < end; i++) {
      mark(objects, globalObject(pack, graph.lists[i] as number), state);
    }
  }
}

function mark(objects: Uint8Array, object: number, state: number): void {
  if (object !== noObject && objects[object] !== reached) objects[object] = state;
}

function packLiveness(set: GraphSet, pack: SetPack, nodes: Uint8Array, objects: Uint8Array): PackLiveness {
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
  for (let ordinal = 0; ordinal < graph.count; ordinal++) found[objects[set.home(pack, ordinal)] as number] = true;
  return {
    dead: found[dead] === true || states.includes(dead),
    waiting: found[waiting] === true || states.includes(waiting),
  };
}

function found(set: GraphSet, named: readonly { readonly oid: RetiredTip['oid'] }[]): number[] {
  const nodes: number[] = [];
  for (const { oid } of named) {
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
function nodeHomes(set: GraphSet): ReadonlyMap<number, number> {
  const homes = new Map<number, number>();
  for (const { objectStart, nodeStart, graph } of set.packs) {
    for (let rank = 0; rank < graph.nodeCount; rank++) {
      const node = nodeStart + (graph.nodesById[rank] as number);
      // Only what has its object in an older pack can have a node there.
      if ((set.nodeObjects[node] as number) >= objectStart) continue;
      const home = set.findNode(graph.nodeIds, rank * objectIdBytes);
      if (home >= 0 && home < node) homes.set(node, home);
    }
  }
  return homes;
}
