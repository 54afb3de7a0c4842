import { atOnce, entriesAStop, type Steps } from '../work/loops.ts';
import { GrowableUint32 } from './growable.ts';
import { noObject } from './pack-graph.ts';
import { globalObject, type SetPack } from './set-pack.ts';

/** Added to a link where it stands in place of a node. */
const isLink = 0x8000_0000;

/**
 * The lists the other way round: which nodes introduce an object. Nearly every object has one introducer, so there is
 * a flat table of these, and chains for the few objects that have more.
 *
 * One table serves a line of sets that extend each other; a reader of an older set sees newer nodes as not coloured.
 */
export class Introducers {
  /** By object: its node; its newest link plus {@link isLink} if it has several; {@link noObject} if it has none. */
  readonly #first: GrowableUint32 = new GrowableUint32(1024);
  /** By link: a node, and the next link; {@link noObject} ends a chain. */
  readonly #nodes: GrowableUint32 = new GrowableUint32();
  readonly #next: GrowableUint32 = new GrowableUint32();
  /** Packs that are entered, and how many nodes of the next one: several requests may extend it, and share the work. */
  #packs = 0;
  #nodesEntered = 0;
  /** Links that were followed since it was made: looking for introducers costs that much. */
  followed = 0;

  /** Bytes. */
  get memory(): number {
    return this.#first.values.byteLength + this.#nodes.values.byteLength + this.#next.values.byteLength;
  }

  /** Brings the table up to the packs of a set. */
  *extending(packs: readonly SetPack[]): Steps<void> {
    let passed = 0;
    while (this.#packs < packs.length) {
      const pack = packs[this.#packs] as SetPack;
      const { graph, nodeStart, objectStart } = pack;
      if (this.#first.length === objectStart) this.#first.append(new Uint32Array(graph.count).fill(noObject));
      while (this.#nodesEntered < graph.nodeCount && passed < entriesAStop) {
        const node = this.#nodesEntered++;
        this.#add(globalObject(pack, graph.nodeObjects[node] as number), nodeStart + node);
        const start = graph.listStarts[node] as number;
        const end = graph.listStarts[node + 1] as number;
        for (let i = start; i < end; i++) this.#add(globalObject(pack, graph.lists[i] as number), nodeStart + node);
        passed += 1 + end - start;
      }
      if (this.#nodesEntered === graph.nodeCount) {
        this.#packs++;
        this.#nodesEntered = 0;
      }
      if (passed < entriesAStop) continue;
      yield passed;
      passed = 0;
    }
    yield passed;
  }

  /** Does the same without a stop. Cheap if the table is up to date. */
  extendTo(packs: readonly SetPack[]): void {
    if (this.#packs < packs.length) atOnce(this.extending(packs));
  }

  /** Tests if a node of that colour introduces the object. `colours` has one byte per node of the reader's set. */
  hasIntroducer(object: number, colours: Uint8Array, colour: number): boolean {
    const first = this.#first.values[object] as number;
    if (first < isLink) return colours[first] === colour;
    if (first === noObject) return false;
    const nodes = this.#nodes.values;
    const next = this.#next.values;
    for (let link = first - isLink; link !== noObject; link = next[link] as number) {
      this.followed++;
      if (colours[nodes[link] as number] === colour) return true;
    }
    return false;
  }

  #add(object: number, node: number): void {
    if (object === noObject) return;
    const first = this.#first.values[object] as number;
    if (first === noObject || first === node) {
      this.#first.values[object] = node;
      return;
    }
    const newest = first < isLink ? this.#link(first, noObject) : first - isLink;
    if (this.#nodes.values[newest] !== node) this.#first.values[object] = isLink + this.#link(node, newest);
  }

  #link(node: number, next: number): number {
    this.#nodes.push(node);
    this.#next.push(next);
    return this.#nodes.length - 1;
  }
}
