import { objectIdBytes } from '../../object/object-id.ts';
import { sortNumbers } from '../../pack/number-order.ts';
import { sortIds } from '../../pack/sort-ids.ts';
import { cost } from '../../work/costs.ts';
import { inBlocks } from '../../work/loops.ts';
import type { Work } from '../../work/scheduler.ts';
import { GrowableUint32 } from '../growable.ts';
import { IdNumbers } from '../id-numbers.ts';
import { closedFlag, noObject, type PackGraph } from '../pack-graph.ts';
import type { NewNodes } from './push-walk.ts';

/** Entries of one list that are looked up in one go. */
const listPart = 16_384;

/** The pack that a new graph belongs to, and how the places of the walk are to be read. */
export interface GraphSubject {
  readonly packChecksum: Uint8Array;
  readonly count: number;
  /** By ordinal, as in {@link PackGraph}. */
  readonly kinds: Uint8Array;
  readonly offsets: Uint32Array | Float64Array;
  readonly bases: Int32Array;
  readonly sizes: Uint32Array;
  /** By ordinal: place of the object's oldest home; its own ordinal if that is here. */
  readonly home: (ordinal: number) => number;
  /** Writes the 20 bytes of a place's id into `target` at `at`. */
  readonly copyId: (place: number, target: Uint8Array, at: number) => void;
  /** Writes the 20 bytes of a verified node's id into `target` at `at`. */
  readonly copyNodeId: (node: number, target: Uint8Array, at: number) => void;
}

/** Puts the complete nodes of a walk into the form of a graph file. Places below `subject.count` are ordinals. */
export async function newPackGraph(subject: GraphSubject, nodes: NewNodes, work: Work): Promise<PackGraph> {
  const { count } = subject;
  const ext = new ExtTable(subject);
  const reference = (place: number): number => (place < count ? place : count + ext.ofPlace(place));

  const objects = new Uint32Array(nodes.count);
  await inBlocks(work, nodes.count, (from, to) => {
    for (let node = from; node < to; node++) objects[node] = reference(nodes.places[node] as number);
  });
  const kept = await keptNodes(objects, nodes, count + ext.count, work);
  const newNumber = new Uint32Array(nodes.count);
  kept.forEach((node, i) => (newNumber[node] = i));
  const nodeCount = kept.length;

  const kinds = subject.kinds.slice();
  const nodeObjects = new Uint32Array(nodeCount);
  const nodeTrees = new Uint32Array(nodeCount).fill(noObject);
  const dates = new Uint32Array(nodeCount);
  const parentStarts = new Uint32Array(nodeCount + 1);
  const parents = new GrowableUint32();
  const listStarts = new Uint32Array(nodeCount + 1);
  let listLength = 0;
  for (const node of kept) listLength += (nodes.listEnds[node] as number) - (nodes.listStarts[node] as number);
  const lists = new Uint32Array(listLength);
  let filled = 0;
  for (let i = 0; i < nodeCount; i++) {
    const node = kept[i] as number;
    nodeObjects[i] = objects[node] as number;
    const tree = nodes.trees[node] as number;
    if (tree >= 0) nodeTrees[i] = reference(tree);
    dates[i] = nodes.dates[node] as number;
    for (const parent of nodes.parentsOf(node)) {
      parents.push(parent < 0 ? nodeCount + ext.ofNode(-1 - parent) : (newNumber[parent] as number));
    }
    parentStarts[i + 1] = parents.length;
    const start = filled;
    const end = nodes.listEnds[node] as number;
    for (let from = nodes.listStarts[node] as number; from < end;) {
      const to = Math.min(end, from + listPart);
      if (work.spend(cost.edges, to - from)) await work.yield();
      for (; from < to; from++) lists[filled++] = reference(nodes.lists[from] as number);
    }
    const sorting = sortNumbers(lists.subarray(start, filled), work);
    if (sorting !== undefined) await sorting;
    listStarts[i + 1] = filled;
    if (work.spend(cost.edges, 4 + parents.length - (parentStarts[i] as number))) await work.yield();
  }
  await inBlocks(work, listLength, (from, to) => {
    for (let i = from; i < to; i++) {
      const object = lists[i] as number;
      if (object < count) kinds[object] = (kinds[object] as number) | closedFlag;
    }
  });

  const duplicates: number[] = [];
  await inBlocks(work, count, (from, to) => {
    for (let ordinal = from; ordinal < to; ordinal++) {
      const home = subject.home(ordinal);
      if (home !== ordinal && home >= count) duplicates.push(ordinal, ext.ofPlace(home));
    }
  });
  const { nodeIds, nodesById } = await sortedNodeIds(subject, nodes, kept, work);
  return {
    packChecksum: subject.packChecksum,
    count,
    ext: ext.ids(),
    kinds,
    offsets: subject.offsets,
    bases: subject.bases,
    sizes: subject.sizes,
    duplicates: Uint32Array.from(duplicates),
    nodeCount,
    nodeObjects,
    parentStarts,
    parents: parents.toArray(),
    nodeTrees,
    dates,
    listStarts,
    lists,
    nodeIds,
    nodesById,
  };
}

/** The nodes that were not refused, in the order of their objects. No two nodes stand for one object. */
async function keptNodes(objects: Uint32Array, nodes: NewNodes, objectsMax: number, work: Work): Promise<Uint32Array> {
  const nodeOf = new Int32Array(objectsMax).fill(-1);
  for (let node = 0; node < nodes.count; node++) if (nodes.complete[node] === 1) nodeOf[objects[node] as number] = node;
  const kept = new Uint32Array(nodes.count);
  let length = 0;
  await inBlocks(work, objectsMax, (from, to) => {
    for (let object = from; object < to; object++) {
      if ((nodeOf[object] as number) >= 0) kept[length++] = nodeOf[object] as number;
    }
  });
  return kept.subarray(0, length);
}

async function sortedNodeIds(
  subject: GraphSubject,
  nodes: NewNodes,
  kept: Uint32Array,
  work: Work,
): Promise<Pick<PackGraph, 'nodeIds' | 'nodesById'>> {
  const ids = new Uint8Array(kept.length * objectIdBytes);
  await inBlocks(work, kept.length, (from, to) => {
    for (let i = from; i < to; i++) {
      subject.copyId(nodes.places[kept[i] as number] as number, ids, i * objectIdBytes);
    }
  });
  const nodesById = await sortIds(ids, kept.length, work);
  const nodeIds = new Uint8Array(ids.length);
  await inBlocks(work, kept.length, (from, to) => {
    for (let rank = from; rank < to; rank++) {
      const at = (nodesById[rank] as number) * objectIdBytes;
      nodeIds.set(ids.subarray(at, at + objectIdBytes), rank * objectIdBytes);
    }
  });
  return { nodeIds, nodesById };
}

/** Ids of objects in older packs, numbered in order of appearance, with one entry per object. */
class ExtTable {
  readonly #subject: GraphSubject;
  readonly #numbers = new IdNumbers();
  readonly #byPlace = new Map<number, number>();
  readonly #byNode = new Map<number, number>();
  readonly #scratch = new Uint8Array(objectIdBytes);

  constructor(subject: GraphSubject) {
    this.#subject = subject;
  }

  ofPlace(place: number): number {
    let number = this.#byPlace.get(place);
    if (number === undefined) {
      this.#subject.copyId(place, this.#scratch, 0);
      number = this.#add();
      this.#byPlace.set(place, number);
    }
    return number;
  }

  ofNode(node: number): number {
    let number = this.#byNode.get(node);
    if (number === undefined) {
      this.#subject.copyNodeId(node, this.#scratch, 0);
      number = this.#add();
      this.#byNode.set(node, number);
    }
    return number;
  }

  get count(): number {
    return this.#numbers.length;
  }

  ids(): Uint8Array {
    return this.#numbers.bytes();
  }

  #add(): number {
    return this.#numbers.numberOf(this.#scratch, 0);
  }
}
