import type { GraphSet } from '../graph/graph-set.ts';
import { findInIdTable } from '../graph/id-table.ts';
import { noObject } from '../graph/pack-graph.ts';
import type { SetPack } from '../graph/set-pack.ts';
import { reached, type Liveness } from '../maintain/liveness.ts';
import { stretches, type Steps } from '../work/loops.ts';
import { objectIdToBytes, type ObjectId } from '../object/object-id.ts';

/** Work for finding the pack of an object or node, as a number of entries. */
const entriesALookUp = 4;

/** Number of different objects that are reached. */
export function reachedCount({ objects }: Liveness): number {
  let count = 0;
  for (let object = 0; object < objects.length; object++) if (objects[object] === reached) count++;
  return count;
}

/** Tests if any of these packs has a node with that id. */
export function hasNode({ packs }: GraphSet, numbers: readonly number[], oid: ObjectId): boolean {
  const id = objectIdToBytes(oid);
  return numbers.some((number) => findInIdTable((packs[number] as SetPack).graph.nodeIds, id, 0) >= 0);
}

/** Returns ascending numbers of the packs with reached objects, and of those that their graphs lean on. */
export function* neededPacks(set: GraphSet, liveness: Liveness): Steps<readonly number[]> {
  const needed = new Set<number>();
  for (let number = set.packs.length - 1; number >= 0; number--) {
    const pack = set.packs[number] as SetPack;
    if (!needed.has(number) && !holdsReached(pack, liveness)) continue;
    needed.add(number);
    for (const older of yield* leanedOn(set, pack)) needed.add(older);
    yield pack.graph.count / 8;
  }
  return [...needed].sort((a, b) => a - b);
}

function holdsReached({ graph, objectStart, nodeStart }: SetPack, { objects, nodes }: Liveness): boolean {
  return (
    objects.subarray(objectStart, objectStart + graph.count).includes(reached) ||
    nodes.subarray(nodeStart, nodeStart + graph.nodeCount).includes(reached)
  );
}

/** Numbers of the packs in which there is anything that the graph of a pack names. */
function* leanedOn(set: GraphSet, { graph, extObjects, late, nodeStart }: SetPack): Steps<ReadonlySet<number>> {
  const numbers = new Set<number>();
  for (const [from, to] of stretches(extObjects.length)) {
    for (const object of extObjects.subarray(from, to)) {
      if (object !== noObject) numbers.add(set.packNumberOfObject(object));
    }
    yield entriesALookUp * (to - from);
  }
  for (const object of late.values()) numbers.add(set.packNumberOfObject(object));
  const parents = set.parents.subarray(set.parentStarts[nodeStart], set.parentStarts[nodeStart + graph.nodeCount]);
  for (const [from, to] of stretches(parents.length)) {
    for (let i = from; i < to; i++) {
      const parent = parents[i] as number;
      if (parent < nodeStart) numbers.add(set.packNumberOfNode(parent));
    }
    yield entriesALookUp * (to - from);
  }
  return numbers;
}
