import type { KindNumber } from '../object/kind.ts';
import { objectIdBytes, objectIdToBytes, type ObjectId } from '../object/object-id.ts';
import type { PackIndex } from '../pack/pack-index.ts';
import type { PackRecord } from '../ports/repo-state.ts';
import { GrowableUint32 } from './growable.ts';
import { findInIdTable } from './id-table.ts';
import { Introducers } from './introducers.ts';
import { NodeTable } from './node-table.ts';
import { graphMemory, kindMask, noObject, type PackGraph } from './pack-graph.ts';
import { globalObject, type SetPack } from './set-pack.ts';

/** What a set is made of: a pack of the manifest with its graph, and its index where ids of objects must be found. */
export interface SetMember {
  readonly record: PackRecord;
  readonly graph: PackGraph;
}

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
   * This set with one more pack. `index` gives the index of that pack or one already in the set; it is asked only for
   * packs that `ext` entries may lie in, and where packs came in at the same time.
   */
  async with(member: SetMember, index: (record: PackRecord) => Promise<PackIndex>): Promise<GraphSet> {
    const { graph } = member;
    const extObjects = await this.#resolveExt(graph.ext, index);
    const late = await this.#lateHomes(member, index);
    const nodeStart = this.nodeCount;
    const objectStart = this.objectCount;
    // What an older pack held too, and does no more since it was collected there, is at home here.
    for (let i = 0; i < graph.duplicates.length; i += 2) {
      const ext = graph.duplicates[i + 1] as number;
      if (extObjects[ext] === noObject) extObjects[ext] = objectStart + (graph.duplicates[i] as number);
    }
    const pack: SetPack = { ...member, objectStart, nodeStart, extObjects, late };
    // All that may fail comes before the shared tables are touched.
    const parents = this.#resolveParents(pack);
    const nodeObjects = graph.nodeObjects.map((object) => globalObject(pack, object));
    const nodeTrees = graph.nodeTrees.map((tree) => globalObject(pack, tree));
    // Another set may have extended the shared tables meanwhile; then this one goes on with a copy of its own.
    const tables = this.#tables.newest === this.packs.at(-1) ? this.#tables : this.#copyTables();
    const edgeStart = tables.parents.length;
    tables.newest = undefined;
    tables.parents.append(parents);
    tables.parentStarts.append(graph.parentStarts.subarray(1).map((start) => edgeStart + start));
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
   * Bytes this takes, for caches: the graphs of its packs, which it keeps whatever other caches do, and its tables.
   * The latter grow when first asked for, so what was told before may be too little; the large one is counted ahead.
   */
  get memory(): number {
    const { parentStarts, parents, nodeObjects, nodeTrees, introducers, nodes } = this.#tables;
    const own = [parentStarts, parents, nodeObjects, nodeTrees].reduce((sum, { values }) => sum + values.byteLength, 0);
    return this.#packMemory + own + Math.max(introducers.memory, 4 * this.objectCount) + nodes.memory;
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
    return this.packs[lastAtMost(this.packs, (pack) => pack.nodeStart, node)] as SetPack;
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

  /** Kind of what a node stands for. */
  nodeKind(node: number): KindNumber {
    return this.kind(this.nodeObjects[node] as number);
  }

  /** Calls `visit` with the number of every object that `node` introduces, itself left out. */
  forEachIntroduced(node: number, visit: (object: number) => void): void {
    const pack = this.packOfNode(node);
    const { graph } = pack;
    const local = node - pack.nodeStart;
    const end = graph.listStarts[local + 1] as number;
    for (let i = graph.listStarts[local] as number; i < end; i++) {
      visit(globalObject(pack, graph.lists[i] as number));
    }
  }

  /** Which nodes introduce an object; built when first asked for. */
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
    { record }: SetMember,
    index: (record: PackRecord) => Promise<PackIndex>,
  ): Promise<ReadonlyMap<number, number>> {
    const homes = new Map<number, number>();
    const unknown = this.packs.filter((pack) => pack.record.position > record.after);
    if (unknown.length === 0) return homes;
    const own = await index(record);
    const id = new Uint8Array(objectIdBytes);
    for (const pack of unknown) {
      const other = await index(pack.record);
      const [few, many] = own.count <= other.count ? [own, other] : [other, own];
      for (let i = 0; i < few.count; i++) {
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
  #knownNodes(pack: SetPack): ReadonlyMap<number, number> {
    const known = new Map<number, number>();
    const { nodesById, nodeIds, nodeObjects } = pack.graph;
    nodesById.forEach((node, rank) => {
      if (globalObject(pack, nodeObjects[node] as number) >= this.objectCount) return;
      const older = this.findNode(nodeIds, rank * objectIdBytes);
      if (older >= 0) known.set(node, older);
    });
    return known;
  }

  /** Nodes that the parents of a pack's nodes are, in the order of its table. */
  #resolveParents(pack: SetPack): Uint32Array {
    const { graph, extObjects, nodeStart } = pack;
    const known = this.#knownNodes(pack);
    const extNodes = new Map<number, number>();
    return graph.parents.map((reference) => {
      if (reference < graph.nodeCount) return known.get(reference) ?? nodeStart + reference;
      const ext = reference - graph.nodeCount;
      let parent = extNodes.get(ext);
      if (parent === undefined) {
        parent = ext < extObjects.length ? this.findNode(graph.ext, ext * objectIdBytes) : -1;
        if (parent < 0) throw new Error('a graph file names a parent that no older pack has');
        extNodes.set(ext, parent);
      }
      return parent;
    });
  }

  async #resolveExt(ext: Uint8Array, index: (record: PackRecord) => Promise<PackIndex>): Promise<Uint32Array> {
    const count = ext.length / objectIdBytes;
    const objects = new Uint32Array(count).fill(noObject);
    let open: number[] = [];
    for (let i = 0; i < count; i++) {
      const node = this.findNode(ext, i * objectIdBytes);
      if (node >= 0) objects[i] = this.nodeObjects[node] as number;
      else open.push(i);
    }
    for (const pack of this.packs) {
      if (open.length === 0) break;
      const table = await index(pack.record);
      open = open.filter((i) => {
        const ordinal = table.find(ext, i * objectIdBytes);
        if (ordinal >= 0) objects[i] = pack.objectStart + ordinal;
        return ordinal < 0;
      });
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
