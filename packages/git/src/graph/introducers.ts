import { GrowableUint32 } from './growable.ts';
import { noObject } from './pack-graph.ts';
import { globalObject, type SetPack } from './set-pack.ts';

/**
 * The lists the other way round: which nodes introduce an object. Nearly every object has one introducer, so there is
 * a flat table for the first and a map for the few that have more.
 *
 * One table serves a line of sets that extend each other; a reader of an older set sees newer nodes as not coloured.
 */
export class Introducers {
  readonly #first: GrowableUint32 = new GrowableUint32(1024);
  readonly #more: Map<number, number[]> = new Map();
  #packs = 0;

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
    return this.#more.get(object)?.some((node) => colours[node] === colour) ?? false;
  }

  /** Whether any node introduces the object. */
  isIntroduced(object: number): boolean {
    return this.#first.values[object] !== noObject;
  }

  #add(object: number, node: number): void {
    if (object === noObject) return;
    const first = this.#first.values[object] as number;
    if (first === noObject) {
      this.#first.values[object] = node;
      return;
    }
    if (first === node) return;
    const more = this.#more.get(object);
    if (more === undefined) this.#more.set(object, [node]);
    else more.push(node);
  }
}
