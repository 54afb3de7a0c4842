import { GrowableUint32 } from './growable.ts';
import { noObject } from './pack-graph.ts';
import { globalObject, type SetPack } from './set-pack.ts';

/**
 * The lists the other way round: which nodes introduce an object. Nearly every object has one introducer, so there is
 * a flat table for the first, and chains for the few that have more.
 *
 * One table serves a line of sets that extend each other; a reader of an older set sees newer nodes as not coloured.
 */
export class Introducers {
  readonly #first: GrowableUint32 = new GrowableUint32(1024);
  /** By object with more than one: the newest link of its chain. */
  readonly #chains: Map<number, number> = new Map();
  /** By link: a node, and the next link; {@link noObject} ends a chain. */
  readonly #nodes: GrowableUint32 = new GrowableUint32();
  readonly #next: GrowableUint32 = new GrowableUint32();
  #packs = 0;

  /** Bytes; those of the map are an estimate. */
  get memory(): number {
    const tables = this.#first.values.byteLength + this.#nodes.values.byteLength + this.#next.values.byteLength;
    return tables + 40 * this.#chains.size;
  }

  /** Brings the table up to the packs of a set. */
  extendTo(packs: readonly SetPack[]): void {
    for (; this.#packs < packs.length; this.#packs++) {
      const pack = packs[this.#packs] as SetPack;
      const { graph, nodeStart } = pack;
      this.#first.append(new Uint32Array(graph.count).fill(noObject));
      for (let node = 0; node < graph.nodeCount; node++) {
        this.#add(globalObject(pack, graph.nodeObjects[node] as number), nodeStart + node);
        const end = graph.listStarts[node + 1] as number;
        for (let i = graph.listStarts[node] as number; i < end; i++) {
          this.#add(globalObject(pack, graph.lists[i] as number), nodeStart + node);
        }
      }
    }
  }

  /** Whether a node of that colour introduces the object. `colours` holds one byte a node of the reader's set. */
  hasIntroducer(object: number, colours: Uint8Array, colour: number): boolean {
    const first = this.#first.values[object] as number;
    if (first === noObject) return false;
    if (colours[first] === colour) return true;
    const nodes = this.#nodes.values;
    const next = this.#next.values;
    for (let link = this.#chains.get(object) ?? noObject; link !== noObject; link = next[link] as number) {
      if (colours[nodes[link] as number] === colour) return true;
    }
    return false;
  }

  #add(object: number, node: number): void {
    if (object === noObject) return;
    const first = this.#first.values[object] as number;
    if (first === noObject) {
      this.#first.values[object] = node;
      return;
    }
    if (first === node) return;
    const link = this.#nodes.length;
    this.#nodes.push(node);
    this.#next.push(this.#chains.get(object) ?? noObject);
    this.#chains.set(object, link);
  }
}
