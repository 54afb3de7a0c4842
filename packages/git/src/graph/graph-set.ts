import type { KindNumber } from '../object/kind.ts';
import { objectIdBytes, objectIdToBytes, type ObjectId } from '../object/object-id.ts';
import type { PackIndex } from '../pack/pack-index.ts';
import type { PackRecord } from '../ports/repo-state.ts';
import { cost } from '../work/costs.ts';
import { inTurns, stretches, type Steps } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';
import { GrowableUint32 } from './growable.ts';
import { findInIdTable } from './id-table.ts';
import { Introducers } from './introducers.ts';
import { NodeTable } from './node-table.ts';
import { graphMemory, kindMask, noObject, type PackGraph } from './pack-graph.ts';
import { globalObject, type SetPack } from './set-pack.ts';

/** A member of a set: a pack of the manifest with its graph, and with its index if ids of objects must be found. */
export interface SetMember {
  readonly record: PackRecord;
  readonly graph: PackGraph;
}

/** Entries that looking for an id counts for. */
const entriesALookUp = 32;

/** Up to so many packs an id is looked for in one after the other; beyond that a table over all of them pays. */
const searchedPacksMax = 8;

interface SharedTables {
  /** The newest pack that was appended; undefined also while one is. Only the set that ends with it may extend them. */
  newest: SetPack | undefined;
  readonly parentStarts: GrowableUint32;
  readonly parents: GrowableUint32;
  readonly nodeObjects: GrowableUint32;
  readonly nodeTrees: GrowableUint32;
  readonly introducers: Introducers;
  readonly nodes: NodeTable;
}

/**
 * The graphs of all packs of one manifest, as one graph over integers.
 *
 * Packs are numbered in the order of the manifest, oldest first. An object's **number** is the start of its pack plus
 * its ordinal, a node's likewise; an object stored twice is named by its oldest home. A newer set shares the tables
 * of the set it extends, since numbers never change while packs are only added.
 */
export class GraphSet {
  readonly packs: readonly SetPack[];
  readonly nodeCount: number;
  readonly objectCount: number;
  readonly #tables: SharedTables;
  /** Bytes of what the packs bring: their graphs and what was resolved for them. */
  readonly #packMemory: number;

  private constructor(packs: readonly SetPack[], tables: SharedTables, packMemory: number) {
    this.packs = packs;
    this.#packMemory = packMemory;
    const last = packs.at(-1);
    this.nodeCount = last === undefined ? 0 : last.nodeStart + last.graph.nodeCount;
    this.objectCount = last === undefined ? 0 : last.objectStart + last.graph.count;
    this.#tables = tables;
  }

  static empty(): GraphSet {
    const parentStarts = new GrowableUint32();
    parentStarts.push(0);
    const tables = {
      newest: undefined,
      parentStarts,
      parents: new GrowableUint32(),
      nodeObjects: new GrowableUint32(),
      nodeTrees: new GrowableUint32(),
      introducers: new Introducers(),
      nodes: new NodeTable(),
    };
    return new GraphSet([], tables, 0);
  }

  /**
   * Returns this set with one more pack. `index` returns the index of that pack or of one in the set. It is called only
   * for packs that may contain objects of `ext` entries, and for packs received at the same time.
   */
  async with(member: SetMember, index: (pack: SetMember) => Promise<PackIndex>, work: Work): Promise<GraphSet> {
    const { graph } = member;
    await this.loadNodes(work);
    const extObjects = await this.#resolveExt(graph.ext, index, work);
    const late = await this.#lateHomes(member, index, work);
    const nodeStart = this.nodeCount;
    const objectStart = this.objectCount;
    // What an older pack held too, and does no more since it was collected there, is at home here.
    for (let i = 0; i < graph.duplicates.length; i += 2) {
      const ext = graph.duplicates[i + 1] as number;
      if (extObjects[ext] === noObject) extObjects[ext] = objectStart + (graph.duplicates[i] as number);
    }
    const pack: SetPack = { ...member, objectStart, nodeStart, extObjects, late };
    // All that may fail, or stop for others, comes before the shared tables are touched.
    const parents = await inTurns(work, cost.entries, this.#resolveParents(pack));
    const nodeObjects = await inTurns(work, cost.entries, resolveObjects(pack, graph.nodeObjects));
    const nodeTrees = await inTurns(work, cost.entries, resolveObjects(pack, graph.nodeTrees));
    // Another set may have extended the shared tables meanwhile; then this one continues with a copy.
    const tables = this.#tables.newest === this.packs.at(-1) ? this.#tables : this.#copyTables();
    const edgeStart = tables.parents.length;
    tables.newest = undefined;
    tables.parents.append(parents);
    const parentStarts = graph.parentStarts.slice(1);
    if (edgeStart > 0)
      for (let i = 0; i < parentStarts.length; i++) parentStarts[i] = edgeStart + (parentStarts[i] as number);
    tables.parentStarts.append(parentStarts);
    tables.nodeObjects.append(nodeObjects);
    tables.nodeTrees.append(nodeTrees);
    tables.newest = pack;
    return new GraphSet([...this.packs, pack], tables, this.#packMemory + memoryOf(pack));
  }

  /**
   * The set of the first `length` packs, for a manifest that goes on otherwise behind them. It reads the tables of this
   * one, and what extends it copies their front, so that no graph is loaded again.
   */
  front(length: number): GraphSet {
    const packs = this.packs.slice(0, length);
    if (packs.length === 0) return GraphSet.empty();
    return new GraphSet(
      packs,
      this.#tables,
      packs.reduce((sum, pack) => sum + memoryOf(pack), 0),
    );
  }

  /**
   * Size in bytes for caches: the graphs of its packs, which it keeps independently of other caches, and its tables.
   * The tables grow on first use, so an earlier size may be too small; the large table is counted in advance, as is
   * a byte per node, which a plan of a fetch may keep beside the set.
   */
  get memory(): number {
    const { parentStarts, parents, nodeObjects, nodeTrees, introducers, nodes } = this.#tables;
    const own = [parentStarts, parents, nodeObjects, nodeTrees].reduce((sum, { values }) => sum + values.byteLength, 0);
    return this.#packMemory + own + this.nodeCount + Math.max(introducers.memory, 4 * this.objectCount) + nodes.memory;
  }

  /** Parents of node n: `parents[parentStarts[n]]` up to `parentStarts[n + 1]`, exclusive. */
  get parentStarts(): Uint32Array {
    return this.#tables.parentStarts.values;
  }

  get parents(): Uint32Array {
    return this.#tables.parents.values;
  }

  /** By node: the number of its object. */
  get nodeObjects(): Uint32Array {
    return this.#tables.nodeObjects.values;
  }

  /** By node: the number of its tree, or {@link noObject}. */
  get nodeTrees(): Uint32Array {
    return this.#tables.nodeTrees.values;
  }

  /** The node of the id whose 20 bytes stand at `at`; -1 if it has none. The oldest one, if there are several. */
  findNode(ids: Uint8Array, at: number): number {
    if (this.packs.length > searchedPacksMax) {
      this.#tables.nodes.extendTo(this.packs);
      const node = this.#tables.nodes.find(ids, at);
      // The oldest node of the id; if this set does not reach that far, it has none.
      return node < this.nodeCount ? node : -1;
    }
    for (const pack of this.packs) {
      const rank = findInIdTable(pack.graph.nodeIds, ids, at);
      if (rank >= 0) return pack.nodeStart + (pack.graph.nodesById[rank] as number);
    }
    return -1;
  }

  findNodeById(id: ObjectId): number {
    return this.findNode(objectIdToBytes(id), 0);
  }

  packOfNode(node: number): SetPack {
    return this.packs[this.packNumberOfNode(node)] as SetPack;
  }

  packNumberOfNode(node: number): number {
    return lastAtMost(this.packs, (pack) => pack.nodeStart, node);
  }

  packOfObject(object: number): SetPack {
    return this.packs[this.packNumberOfObject(object)] as SetPack;
  }

  packNumberOfObject(object: number): number {
    return lastAtMost(this.packs, (pack) => pack.objectStart, object);
  }

  kind(object: number): KindNumber {
    const pack = this.packOfObject(object);
    return ((pack.graph.kinds[object - pack.objectStart] as number) & kindMask) as KindNumber;
  }

  /** Size of an object in full, in bytes. */
  size(object: number): number {
    const { graph, objectStart } = this.packOfObject(object);
    return graph.sizes[object - objectStart] as number;
  }

  /** Kind of what a node stands for. */
  nodeKind(node: number): KindNumber {
    return this.kind(this.nodeObjects[node] as number);
  }

  /** The numbers of the objects that `node` introduces, itself left out. */
  *introduced(node: number): Generator<number, void, undefined> {
    const pack = this.packOfNode(node);
    const { graph } = pack;
    const local = node - pack.nodeStart;
    const end = graph.listStarts[local + 1] as number;
    for (let i = graph.listStarts[local] as number; i < end; i++) yield globalObject(pack, graph.lists[i] as number);
  }

  /** Builds {@link GraphSet.introducers}, with turns of other work in between. */
  async loadIntroducers(work: Work): Promise<Introducers> {
    await inTurns(work, cost.entries, this.#tables.introducers.extending(this.packs));
    return this.introducers;
  }

  /** Builds the table that finds nodes by their ids where there are many packs. */
  async loadNodes(work: Work): Promise<void> {
    if (this.packs.length <= searchedPacksMax) return;
    await inTurns(work, cost.entries, this.#tables.nodes.extending(this.packs));
  }

  /** Which nodes introduce an object; built when first asked for, at once where {@link GraphSet.loadIntroducers} was not. */
  get introducers(): Introducers {
    this.#tables.introducers.extendTo(this.packs);
    return this.#tables.introducers;
  }

  /** The oldest home of an ordinal of a pack, which may hold it a second time. */
  home(pack: SetPack, ordinal: number): number {
    const { duplicates } = pack.graph;
    let low = 0;
    let high = duplicates.length / 2;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = duplicates[2 * middle] as number;
      if (found === ordinal) return pack.extObjects[duplicates[2 * middle + 1] as number] as number;
      if (found < ordinal) low = middle + 1;
      else high = middle;
    }
    return globalObject(pack, ordinal);
  }

  /**
   * Homes of what a pack shares with those that came in since the newest one its graph knows of (GIT-157): were an
   * object named by both, it would be sent twice, which no client takes.
   */
  async #lateHomes(
    member: SetMember,
    index: (pack: SetMember) => Promise<PackIndex>,
    work: Work,
  ): Promise<ReadonlyMap<number, number>> {
    const homes = new Map<number, number>();
    const unknown = this.packs.filter((pack) => pack.record.position > member.record.after);
    if (unknown.length === 0) return homes;
    const own = await index(member);
    const id = new Uint8Array(objectIdBytes);
    for (const pack of unknown) {
      const other = await index(pack);
      const [few, many] = own.count <= other.count ? [own, other] : [other, own];
      for (let i = 0; i < few.count; i++) {
        if (work.spend(cost.entries, entriesALookUp)) await work.yield();
        few.copyId(i, id, 0);
        const found = many.find(id, 0);
        if (found < 0) continue;
        const [ordinal, theirs] = few === own ? [i, found] : [found, i];
        if (!homes.has(ordinal)) homes.set(ordinal, this.home(pack, theirs));
      }
    }
    return homes;
  }

  /** Nodes of a pack that an older one has, too, by their number there: history then leads to the older ones alone. */
  *#knownNodes(pack: SetPack): Steps<ReadonlyMap<number, number>> {
    const known = new Map<number, number>();
    const { nodesById, nodeIds, nodeObjects } = pack.graph;
    for (const [from, to] of stretches(nodesById.length)) {
      let found = 0;
      for (let rank = from; rank < to; rank++) {
        const node = nodesById[rank] as number;
        if (globalObject(pack, nodeObjects[node] as number) >= this.objectCount) continue;
        found++;
        const older = this.findNode(nodeIds, rank * objectIdBytes);
        if (older >= 0) known.set(node, older);
      }
      yield to - from + entriesALookUp * found;
    }
    return known;
  }

  /** Nodes that the parents of a pack's nodes are, in the order of its table. */
  *#resolveParents(pack: SetPack): Steps<Uint32Array> {
    const { graph, extObjects, nodeStart } = pack;
    const known = yield* this.#knownNodes(pack);
    const extNodes = new Map<number, number>();
    const resolved = new Uint32Array(graph.parents.length);
    for (const [from, to] of stretches(resolved.length)) {
      let found = 0;
      for (let i = from; i < to; i++) {
        const reference = graph.parents[i] as number;
        if (reference < graph.nodeCount) {
          resolved[i] = (known.size === 0 ? undefined : known.get(reference)) ?? nodeStart + reference;
          continue;
        }
        const ext = reference - graph.nodeCount;
        let parent = extNodes.get(ext);
        if (parent === undefined) {
          parent = ext < extObjects.length ? this.findNode(graph.ext, ext * objectIdBytes) : -1;
          if (parent < 0) throw new Error('a graph file names a parent that no older pack has');
          extNodes.set(ext, parent);
          found++;
        }
        resolved[i] = parent;
      }
      yield 2 * (to - from) + entriesALookUp * found;
    }
    return resolved;
  }

  async #resolveExt(ext: Uint8Array, index: (pack: SetMember) => Promise<PackIndex>, work: Work): Promise<Uint32Array> {
    const count = ext.length / objectIdBytes;
    const objects = new Uint32Array(count).fill(noObject);
    const open: number[] = [];
    for (let i = 0; i < count; i++) {
      if (work.spend(cost.entries, entriesALookUp)) await work.yield();
      const node = this.findNode(ext, i * objectIdBytes);
      if (node >= 0) objects[i] = this.nodeObjects[node] as number;
      else open.push(i);
    }
    for (const pack of this.packs) {
      if (open.length === 0) break;
      const table = await index(pack);
      let left = 0;
      for (const i of open) {
        if (work.spend(cost.entries, entriesALookUp)) await work.yield();
        const ordinal = table.find(ext, i * objectIdBytes);
        if (ordinal >= 0) objects[i] = pack.objectStart + ordinal;
        else open[left++] = i;
      }
      open.length = left;
    }
    return objects;
  }

  #copyTables(): SharedTables {
    const copy = (from: GrowableUint32, length: number): GrowableUint32 => {
      const to = new GrowableUint32(length + 256);
      to.append(from.values.subarray(0, length));
      return to;
    };
    const edges = this.parentStarts[this.nodeCount] as number;
    return {
      newest: undefined,
      parentStarts: copy(this.#tables.parentStarts, this.nodeCount + 1),
      parents: copy(this.#tables.parents, edges),
      nodeObjects: copy(this.#tables.nodeObjects, this.nodeCount),
      nodeTrees: copy(this.#tables.nodeTrees, this.nodeCount),
      introducers: new Introducers(),
      nodes: new NodeTable(),
    };
  }
}

/** The numbers of objects that a table of a pack's graph refers to. */
function* resolveObjects(pack: SetPack, references: Uint32Array): Steps<Uint32Array> {
  const objects = new Uint32Array(references.length);
  for (const [from, to] of stretches(references.length)) {
    for (let i = from; i < to; i++) objects[i] = globalObject(pack, references[i] as number);
    yield to - from;
  }
  return objects;
}

/** Bytes that a pack brings to a set. */
function memoryOf({ graph, extObjects, late }: SetPack): number {
  return graphMemory(graph) + extObjects.byteLength + 64 * late.size + 512;
}

function lastAtMost<T>(items: readonly T[], start: (item: T) => number, value: number): number {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (start(items[middle] as T) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
