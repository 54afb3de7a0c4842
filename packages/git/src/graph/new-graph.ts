import { compareObjectIds, objectIdBytes } from '../object/object-id.ts';
import { GrowableUint32 } from './growable.ts';
import { IdNumbers } from './id-numbers.ts';
import { closedFlag, noObject, type PackGraph } from './pack-graph.ts';
import type { NewNodes } from './push-walk.ts';

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
export function newPackGraph(subject: GraphSubject, nodes: NewNodes): PackGraph {
  const { count } = subject;
  const ext = new ExtTable(subject);
  const reference = (place: number): number => (place < count ? place : count + ext.ofPlace(place));

  const objects = nodes.places.map(reference);
  const kept = Uint32Array.from(nodes.places.keys())
    .filter((node) => nodes.complete[node] === 1)
    .sort((a, b) => (objects[a] as number) - (objects[b] as number));
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
  for (const node of kept) listLength += (nodes.listStarts[node + 1] as number) - (nodes.listStarts[node] as number);
  const lists = new Uint32Array(listLength);
  let filled = 0;
  kept.forEach((node, i) => {
    nodeObjects[i] = objects[node] as number;
    const tree = nodes.trees[node] as number;
    if (tree >= 0) nodeTrees[i] = reference(tree);
    dates[i] = nodes.dates[node] as number;
    for (const parent of nodes.parentsOf(node)) {
      parents.push(parent < 0 ? nodeCount + ext.ofNode(-1 - parent) : (newNumber[parent] as number));
    }
    parentStarts[i + 1] = parents.length;
    const start = filled;
    for (let l = nodes.listStarts[node] as number; l < (nodes.listStarts[node + 1] as number); l++) {
      lists[filled++] = reference(nodes.lists[l] as number);
    }
    lists.subarray(start, filled).sort();
    listStarts[i + 1] = filled;
  });
  for (const object of lists) if (object < count) kinds[object] = (kinds[object] as number) | closedFlag;

  const duplicates: number[] = [];
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const home = subject.home(ordinal);
    if (home !== ordinal && home >= count) duplicates.push(ordinal, ext.ofPlace(home));
  }
  const { nodeIds, nodesById } = sortedNodeIds(subject, nodes, kept);
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

function sortedNodeIds(
  subject: GraphSubject,
  nodes: NewNodes,
  kept: Uint32Array,
): Pick<PackGraph, 'nodeIds' | 'nodesById'> {
  const ids = new Uint8Array(kept.length * objectIdBytes);
  kept.forEach((node, i) => subject.copyId(nodes.places[node] as number, ids, i * objectIdBytes));
  const nodesById = Uint32Array.from(kept.keys());
  nodesById.sort((a, b) => compareObjectIds(ids, a * objectIdBytes, ids, b * objectIdBytes));
  const nodeIds = new Uint8Array(ids.length);
  nodesById.forEach((node, rank) => {
    nodeIds.set(ids.subarray(node * objectIdBytes, (node + 1) * objectIdBytes), rank * objectIdBytes);
  });
  return { nodeIds, nodesById };
}

/** Ids of what lies in older packs, numbered as they are named; one entry an object, however it is named. */
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

  ids(): Uint8Array {
    return this.#numbers.bytes();
  }

  #add(): number {
    return this.#numbers.numberOf(this.#scratch, 0);
  }
}
