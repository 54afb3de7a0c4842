import { GrowableUint32 } from '../graph/growable.ts';
import type { GraphSet } from '../graph/graph-set.ts';
import { IdNumbers } from '../graph/id-numbers.ts';
import { closedFlag, kindMask, noObject, type PackGraph } from '../graph/pack-graph.ts';
import { globalObject, type SetPack } from '../graph/set-pack.ts';
import { compareObjectIds, objectIdBytes } from '../object/object-id.ts';
import { orderOf, sortNumbers } from '../pack/number-order.ts';
import { sortIds } from '../pack/sort-ids.ts';
import { cost } from '../work/costs.ts';
import { inTurns, stretches } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';
import { dead, type Liveness } from './liveness.ts';
import { eachObject, type MergePlan } from './merge-plan.ts';

/** Work for a node or parent, and for an object of a list, as a number of entries. */
const entriesANode = 12;
const entriesAnObject = 8;

/** The made pack after it was written. */
export interface WrittenPack {
  readonly checksum: Uint8Array;
  /** The same as in {@link PackGraph}. */
  readonly offsets: Uint32Array | Float64Array;
}

/**
 * Makes the graph of a new pack by remapping those of the packs that it replaces (`docs/design/graph.md`, "Merging
 * packs"), without computing lists again. Drops dead nodes, folds nodes of several packs into the oldest, and keeps
 * only objects of older packs in `ext`.
 *
 * Costs about 20 ns per node and list entry of these packs.
 */
export async function mergedGraph(
  set: GraphSet,
  plan: MergePlan,
  liveness: Liveness,
  written: WrittenPack,
  work: Work,
): Promise<PackGraph> {
  const remap = new Remap(plan);
  const nodes = await chooseNodes(set, plan, liveness, work);
  const count = plan.objects.length;
  const nodeCount = nodes.kept.length;
  const references = new Uint32Array(nodes.numbers.length);
  for (const node of nodes.kept) {
    const { pack, local } = nodes.place(node);
    references[node] = remap.object(pack, pack.graph.nodeObjects[local] as number);
    if (work.spend(cost.entries, entriesANode)) await work.yield();
  }
  await nodes.order(references);

  const nodeTrees = new Uint32Array(nodeCount).fill(noObject);
  const dates = new Uint32Array(nodeCount);
  const parentStarts = new Uint32Array(nodeCount + 1);
  const parents = new GrowableUint32();
  const listStarts = new Uint32Array(nodeCount + 1);
  const lists = new GrowableUint32(plan.packs.reduce((sum, { graph }) => sum + graph.lists.length, 0));
  for (let number = 0; number < nodeCount; number++) {
    const { pack, local } = nodes.place(nodes.kept[number] as number);
    const { graph } = pack;
    const tree = graph.nodeTrees[local] as number;
    if (tree !== noObject) nodeTrees[number] = remap.object(pack, tree);
    dates[number] = graph.dates[local] as number;
    for (let i = graph.parentStarts[local] as number; i < (graph.parentStarts[local + 1] as number); i++) {
      if (work.spend(cost.entries, entriesANode)) await work.yield();
      parents.push(parentReference(set, plan, nodes, remap, pack, local, i));
    }
    parentStarts[number + 1] = parents.length;
    const start = lists.length;
    for (let i = graph.listStarts[local] as number; i < (graph.listStarts[local + 1] as number); i++) {
      lists.push(remap.object(pack, graph.lists[i] as number));
      if (work.spend(cost.entries, entriesAnObject)) await work.yield();
    }
    const sorting = sortNumbers(lists.values.subarray(start, lists.length), work);
    if (sorting !== undefined) await sorting;
    listStarts[number + 1] = lists.length;
    if (work.spend(cost.entries, entriesANode)) await work.yield();
  }

  const kinds = new Uint8Array(count);
  const sizes = new Uint32Array(count);
  const duplicates: number[] = [];
  const visit = (ordinal: number, pack: SetPack, own: number): void => {
    kinds[ordinal] = (pack.graph.kinds[own] as number) & kindMask;
    sizes[ordinal] = pack.graph.sizes[own] as number;
    const home = set.home(pack, own);
    if (home < plan.objectStart) duplicates.push(ordinal, remap.extOfOwn(ordinal));
  };
  await inTurns(work, cost.entries, eachObject(plan, visit));
  const listed = lists.toArray();
  for (const [from, to] of stretches(listed.length)) {
    for (let i = from; i < to; i++) {
      const object = listed[i] as number;
      if (object < count) kinds[object] = (kinds[object] as number) | closedFlag;
    }
    if (work.spend(cost.entries, to - from)) await work.yield();
  }
  return {
    packChecksum: written.checksum,
    count,
    ext: remap.ext(),
    kinds,
    offsets: written.offsets,
    bases: plan.bases,
    sizes,
    duplicates: Uint32Array.from(duplicates),
    nodeCount,
    nodeObjects: nodes.kept.map((node) => references[node] as number),
    parentStarts,
    parents: parents.toArray(),
    nodeTrees,
    dates,
    listStarts,
    lists: listed,
    ...(await nodes.byId()),
  };
}

/** New reference to the parent that stands at `edge` of the parents of a node. */
function parentReference(
  set: GraphSet,
  plan: MergePlan,
  nodes: KeptNodes,
  remap: Remap,
  pack: SetPack,
  local: number,
  edge: number,
): number {
  const { graph, nodeStart } = pack;
  const reference = graph.parents[edge] as number;
  if (reference < graph.nodeCount) return nodes.number(nodeStart + reference - plan.nodeStart);
  const rank = edge - (graph.parentStarts[local] as number);
  const parent = set.parents[(set.parentStarts[nodeStart + local] as number) + rank] as number;
  if (parent >= plan.nodeStart) return nodes.number(parent - plan.nodeStart);
  return nodes.kept.length + remap.extOf(pack, reference - graph.nodeCount);
}

/** Translates references to objects. */
class Remap {
  readonly #plan: MergePlan;
  readonly #ext = new IdNumbers();
  /** By pack: by entry of its `ext` the number of the same id here; -1: not yet known. */
  readonly #extNumbers = new Map<SetPack, Int32Array>();

  constructor(plan: MergePlan) {
    this.#plan = plan;
  }

  /** Maps a `reference` to an object in the graph of `pack` to one in the new graph. */
  object(pack: SetPack, reference: number): number {
    const { objectStart, objects, ordinals } = this.#plan;
    const home = globalObject(pack, reference);
    if (home !== noObject && home >= objectStart) return this.#kept(ordinals[home - objectStart]);
    const { count } = pack.graph;
    if (reference >= count) {
      if (home === noObject) throw new Error('a graph lists an object that is not stored');
      return objects.length + this.extOf(pack, reference - count);
    }
    return objects.length + this.extOfOwn(this.#kept(ordinals[pack.objectStart + reference - objectStart]));
  }

  /** Number of what entry `number` of a pack's `ext` names. */
  extOf(pack: SetPack, number: number): number {
    let numbers = this.#extNumbers.get(pack);
    if (numbers === undefined) {
      numbers = new Int32Array(pack.extObjects.length).fill(-1);
      this.#extNumbers.set(pack, numbers);
    }
    if (numbers[number] === -1) numbers[number] = this.#ext.numberOf(pack.graph.ext, number * objectIdBytes);
    return numbers[number] as number;
  }

  /** Number of an object that the made pack holds itself, though its home is an older one. */
  extOfOwn(ordinal: number): number {
    return this.#ext.numberOf(this.#plan.ids, ordinal * objectIdBytes);
  }

  ext(): Uint8Array {
    return this.#ext.bytes();
  }

  #kept(ordinal: number | undefined): number {
    if (ordinal === undefined || ordinal === noObject) throw new Error('a live node lists an object that is left out');
    return ordinal;
  }
}

/** The nodes of the made pack. Those of the merged ones are counted from the first of them. */
interface KeptNodes {
  /** In the order of their numbers. */
  readonly kept: Uint32Array;
  /** By node of the merged packs: the node that replaces it. */
  readonly numbers: Uint32Array;
  /** Numbers them by the references of their objects, which are by node of the merged packs. */
  order(references: Uint32Array): Promise<void>;
  /** New number of a node. */
  number(node: number): number;
  place(node: number): { readonly pack: SetPack; readonly local: number };
  byId(): Promise<Pick<PackGraph, 'nodeIds' | 'nodesById'>>;
}

async function chooseNodes(
  set: GraphSet,
  { packs, nodeStart }: MergePlan,
  liveness: Liveness,
  work: Work,
): Promise<KeptNodes> {
  const total = packs.reduce((sum, { graph }) => sum + graph.nodeCount, 0);
  const ids = new Uint8Array(total * objectIdBytes);
  for (const { graph, nodeStart: start } of packs) {
    for (const [from, to] of stretches(graph.nodeCount)) {
      for (let rank = from; rank < to; rank++) {
        const id = graph.nodeIds.subarray(rank * objectIdBytes, (rank + 1) * objectIdBytes);
        ids.set(id, (start - nodeStart + (graph.nodesById[rank] as number)) * objectIdBytes);
      }
      if (work.spend(cost.entries, entriesANode * (to - from))) await work.yield();
    }
  }
  const sorted = await sortIds(ids, total, work);
  const numbers = new Uint32Array(total);
  const chosen: number[] = [];
  for (const [from, to] of stretches(total)) {
    for (let rank = from; rank < to; rank++) {
      const node = sorted[rank] as number;
      const before = rank === 0 ? -1 : (sorted[rank - 1] as number);
      const isTwin = before >= 0 && compareObjectIds(ids, before * objectIdBytes, ids, node * objectIdBytes) === 0;
      numbers[node] = isTwin ? (numbers[before] as number) : node;
      if (!isTwin && liveness.nodes[nodeStart + node] !== dead) chosen.push(node);
    }
    if (work.spend(cost.entries, entriesANode * (to - from))) await work.yield();
  }
  const byRank = Uint32Array.from(chosen);
  const kept = byRank.slice();
  /** By node to keep: its new number. */
  const newNumbers = new Uint32Array(total).fill(noObject);
  return {
    kept,
    numbers,
    async order(references) {
      const values = Float64Array.from(byRank, (node) => references[node] as number);
      const order = await inTurns(work, cost.entries, orderOf(values));
      for (let number = 0; number < kept.length; number++) {
        const node = byRank[order[number] as number] as number;
        kept[number] = node;
        newNumbers[node] = number;
      }
    },
    number(node) {
      const number = newNumbers[numbers[node] as number] as number;
      if (number === noObject) throw new Error('a live node has a parent that is left out');
      return number;
    },
    place(node) {
      const pack = set.packOfNode(nodeStart + node);
      return { pack, local: nodeStart + node - pack.nodeStart };
    },
    async byId() {
      const nodeIds = new Uint8Array(byRank.length * objectIdBytes);
      for (const [from, to] of stretches(byRank.length)) {
        for (let rank = from; rank < to; rank++) {
          const node = byRank[rank] as number;
          nodeIds.set(ids.subarray(node * objectIdBytes, (node + 1) * objectIdBytes), rank * objectIdBytes);
        }
        if (work.spend(cost.entries, entriesANode * (to - from))) await work.yield();
      }
      return { nodeIds, nodesById: byRank.map((node) => newNumbers[node] as number) };
    },
  };
}
