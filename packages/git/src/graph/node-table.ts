import { compareObjectIds, objectIdBytes } from '../object/object-id.ts';
import { atOnce, entriesAStop, type Steps } from '../work/loops.ts';
import { GrowableUint32 } from './growable.ts';
import { newIdHash } from './id-hash.ts';
import type { SetPack } from './set-pack.ts';

/** Entries that entering a node counts for. */
const entriesANode = 10;

/**
 * Finds the node of an id over many packs at once: a hash table of 12 to 24 bytes a node. It serves a line of sets
 * that extend each other; where several packs have a node of one id, the oldest stays.
 */
export class NodeTable {
  /** The packs it knows, oldest first. */
  readonly #packs: SetPack[] = [];
  /** Nodes of the newest of them that are not entered yet: those who extend it go on where others stopped. */
  #left = 0;
  /** Entry: `nodeStart` of its pack plus its rank there. By entry: the hash, which spares most looks at the ids. */
  readonly #hashes = new GrowableUint32();
  /** Entries plus one; 0: free. A power of two long, at most half full. */
  #slots = new Uint32Array(512);
  #bits = 9;
  #filled = 0;
  readonly #hash = newIdHash();

  get memory(): number {
    return this.#slots.byteLength + this.#hashes.values.byteLength;
  }

  /** Brings the table up to the packs of a set. Several may do so at the same time. */
  *extending(packs: readonly SetPack[]): Steps<void> {
    let passed = 0;
    while (!this.#isUpTo(packs)) {
      if (this.#left === 0) {
        const pack = packs[this.#packs.length] as SetPack;
        this.#packs.push(pack);
        this.#left = pack.graph.nodeCount;
      }
      const { nodeStart, graph } = this.#packs.at(-1) as SetPack;
      for (; this.#left > 0 && passed < entriesAStop; passed += entriesANode) {
        const rank = graph.nodeCount - this.#left--;
        this.#add(nodeStart + rank, graph.nodeIds, rank * objectIdBytes);
      }
      if (passed < entriesAStop) continue;
      yield passed;
      passed = 0;
    }
    yield passed;
  }

  /** Does the same without a stop. Cheap if the table is up to date. */
  extendTo(packs: readonly SetPack[]): void {
    if (!this.#isUpTo(packs)) atOnce(this.extending(packs));
  }

  #isUpTo({ length }: readonly SetPack[]): boolean {
    return this.#packs.length > length || (this.#packs.length === length && this.#left === 0);
  }

  /** Finds the oldest node with the id whose 20 bytes start at `at`; -1 if it is missing. */
  find(ids: Uint8Array, at: number): number {
    const entry = (this.#slots[this.#slotOf(ids, at, this.#hash(ids, at))] as number) - 1;
    if (entry < 0) return -1;
    const { nodeStart, graph } = this.#packOf(entry);
    return nodeStart + (graph.nodesById[entry - nodeStart] as number);
  }

  #add(entry: number, ids: Uint8Array, at: number): void {
    const hash = this.#hash(ids, at);
    this.#hashes.push(hash);
    const slot = this.#slotOf(ids, at, hash);
    if (this.#slots[slot] !== 0) return;
    this.#slots[slot] = entry + 1;
    if (++this.#filled * 2 > this.#slots.length) this.#grow();
  }

  /** The slot that holds the id, or the free one where it would be. */
  #slotOf(ids: Uint8Array, at: number, hash: number): number {
    const last = this.#slots.length - 1;
    for (let slot = hash >>> (32 - this.#bits); ; slot = (slot + 1) & last) {
      const entry = (this.#slots[slot] as number) - 1;
      if (entry < 0) return slot;
      if (this.#hashes.values[entry] !== hash) continue;
      const { nodeStart, graph } = this.#packOf(entry);
      if (compareObjectIds(graph.nodeIds, (entry - nodeStart) * objectIdBytes, ids, at) === 0) return slot;
    }
  }

  #packOf(entry: number): SetPack {
    let low = 0;
    let high = this.#packs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#packs[middle] as SetPack).nodeStart <= entry) low = middle;
      else high = middle - 1;
    }
    return this.#packs[low] as SetPack;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    this.#bits++;
    const last = this.#slots.length - 1;
    for (const value of old) {
      if (value === 0) continue;
      let slot = (this.#hashes.values[value - 1] as number) >>> (32 - this.#bits);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & last;
      this.#slots[slot] = value;
    }
  }
}
