import { createHash } from 'node:crypto';
import { commitKind, type KindNumber } from '../object/kind.ts';
import { objectIdBytes, parseObjectId, type ObjectId } from '../object/object-id.ts';
import type { PackIndex } from '../pack/pack-index.ts';
import { parsePackId, type PackId } from '../ports/pack-store.ts';
import type { PackRecord } from '../ports/repo-state.ts';
import { Scheduler } from '../work/scheduler.ts';
import { GraphSet } from './graph-set.ts';
import { noObject, type PackGraph } from './pack-graph.ts';

/** A node of a graph made by hand: its name, and those of its parents in this pack or an older one. */
export interface MadeNode {
  readonly name: string;
  readonly parents: readonly string[];
  /** Default: a commit. */
  readonly kind?: KindNumber;
  /** Ordinals that it introduces, behind those of the nodes. */
  readonly list?: readonly number[];
}

/** The id that stands for a name. */
export function idOfName(name: string): ObjectId {
  return parseObjectId(createHash('sha1').update(name).digest('hex')) as ObjectId;
}

/** A pack whose node i has ordinal i; `objects` more follow. `number` is that of the pack, counted from 1. */
export function madeGraph(number: number, nodes: readonly MadeNode[], objects = 0): PackGraph {
  const own = new Map(nodes.map(({ name }, i) => [name, i]));
  const ext = new Map<string, number>();
  const parents: number[] = [];
  const parentStarts = [0];
  const lists: number[] = [];
  const listStarts = [0];
  for (const node of nodes) {
    for (const parent of node.parents) {
      if (!own.has(parent) && !ext.has(parent)) ext.set(parent, ext.size);
      parents.push(own.get(parent) ?? nodes.length + (ext.get(parent) as number));
    }
    parentStarts.push(parents.length);
    for (const ordinal of node.list ?? []) lists.push(nodes.length + ordinal);
    listStarts.push(lists.length);
  }
  const count = nodes.length + objects;
  const ids = nodes.map(({ name }, i) => ({ id: idOfName(name), i })).sort((a, b) => (a.id < b.id ? -1 : 1));
  const bytes = (list: readonly string[]): Uint8Array => new Uint8Array(Buffer.from(list.join(''), 'hex'));
  return {
    packChecksum: new Uint8Array(objectIdBytes).fill(number),
    count,
    ext: bytes([...ext.keys()].map(idOfName)),
    kinds: Uint8Array.from({ length: count }, (_, i) => nodes[i]?.kind ?? (i < nodes.length ? commitKind : 3)),
    offsets: new Uint32Array(count + 1),
    bases: new Int32Array(count).fill(-1),
    sizes: new Uint32Array(count),
    duplicates: new Uint32Array(0),
    nodeCount: nodes.length,
    nodeObjects: Uint32Array.from(nodes.keys()),
    parentStarts: Uint32Array.from(parentStarts),
    parents: Uint32Array.from(parents),
    nodeTrees: new Uint32Array(nodes.length).fill(noObject),
    dates: new Uint32Array(nodes.length),
    listStarts: Uint32Array.from(listStarts),
    lists: Uint32Array.from(lists),
    nodeIds: bytes(ids.map(({ id }) => id)),
    nodesById: Uint32Array.from(ids, ({ i }) => i),
  };
}

export function madeRecord(number: number, sizes: Partial<PackRecord> = {}): PackRecord {
  const id = parsePackId(number.toString(16).padStart(32, '0')) as PackId;
  return {
    id,
    where: 'rows',
    objects: 0,
    packSize: 100,
    idxSize: 100,
    graphSize: 100,
    exact: false,
    position: number,
    after: number - 1,
    at: 0,
    borrowed: 'no',
    ...sizes,
  };
}

/** An index that holds nothing. */
export const emptyIndex = { count: 0, find: () => -1 } as unknown as PackIndex;

/** A set of such packs, oldest first. */
export async function madeSet(...packs: readonly (readonly MadeNode[])[]): Promise<GraphSet> {
  let set = GraphSet.empty();
  for (const [i, nodes] of packs.entries()) set = await extended(set, madeGraph(i + 1, nodes));
  return set;
}

export function extended(set: GraphSet, graph: PackGraph, index: PackIndex = emptyIndex): Promise<GraphSet> {
  return set.with({ record: madeRecord(set.packs.length + 1), graph }, async () => index, new Scheduler().begin());
}

/** Nodes `<prefix>0` on, each the parent of the next. */
export function chainOf(prefix: string, length: number, kind: KindNumber = commitKind): MadeNode[] {
  return Array.from({ length }, (_, i) => ({
    name: `${prefix}${i}`,
    parents: i === 0 ? [] : [`${prefix}${i - 1}`],
    kind,
  }));
}
