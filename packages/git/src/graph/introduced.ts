import { commitKind, treeKind, type GitObject, type KindNumber } from '../object/kind.ts';
import { kindOfMode, TreeError } from '../object/tree.ts';
import type { Codec } from '../ports/codec.ts';
import type { GrowableUint32 } from './growable.ts';
import type { Turns } from '../turns.ts';
import { newTreeDifference, treeDifference, type TreeDifference } from './tree-difference.ts';

/**
 * What the nodes of a push introduce, found in one walk that is its connectivity check too (`docs/design/graph.md`,
 * "Push"; GIT-149).
 *
 * Objects have **places** here: integers that the caller gives out, one per object.
 */
export interface ObjectPlaces {
  /** Places below this are those of the push itself, the others those of what is stored. */
  readonly ownPlaces: number;
  /** Place of the object whose 20 bytes stand at `at`; -1 if neither the push nor what it may lean on has it. */
  find(ids: Uint8Array, at: number): number;
  kind(place: number): KindNumber;
  read(place: number): GitObject | Promise<GitObject>;
}

/** A node to be: a commit, a tag, or a tree or blob that a ref names itself. */
export interface PendingNode {
  readonly place: number;
  readonly kind: KindNumber;
  /** Place of the commit's tree, or of the tree or blob a tag points to; -1: none. */
  readonly tree: number;
  /** Places of the trees of all parents, which were verified before; in any order, also several times. */
  readonly parentTrees: readonly number[];
}

/** Something that the node reaches is not there, or is not what it is named as. */
export const incomplete = 'incomplete';

/** What trees without a parent's are compared with. */
const emptyTree = new Uint8Array(0);
/** Merges of more parents are rare, and comparing with each costs as much as all before. */
const comparedMax = 16;
const treeCacheBytes = 8 * 1024 * 1024;

/** Computes lists one node after the other; parents should come before their children, for the caches' sake. */
export class IntroducedLists {
  readonly #codec: Codec;
  readonly #places: ObjectPlaces;
  readonly #turns: Turns;
  readonly #trees: TwoGenerationCache = new TwoGenerationCache(treeCacheBytes);
  readonly #differences: TreeDifference[] = [];
  /** By place: the last node that listed it; an object stands once in a list. */
  readonly #ownListedBy: Uint32Array;
  readonly #storedListedBy: Map<number, number> = new Map();
  #serial = 0;

  constructor(codec: Codec, places: ObjectPlaces, turns: Turns) {
    this.#codec = codec;
    this.#turns = turns;
    this.#places = places;
    this.#ownListedBy = new Uint32Array(places.ownPlaces);
  }

  /**
   * Appends the places of all that `node` introduces, itself left out, to `list`, in no order.
   *
   * @returns {@link incomplete} if the node must be refused; what was appended is then worth nothing.
   */
  async collect(node: PendingNode, list: GrowableUint32): Promise<'complete' | typeof incomplete> {
    this.#serial++;
    this.#mark(node.place);
    if (node.tree < 0) return 'complete';
    const { kind, parentTrees } = node;
    if (kind === commitKind && this.#places.kind(node.tree) !== treeKind) return incomplete;
    if (parentTrees.includes(node.tree)) return 'complete';
    if (node.tree !== node.place && !this.#list(node.tree, list)) return 'complete';
    if (this.#places.kind(node.tree) !== treeKind) return 'complete';
    try {
      return await this.#descend(node.tree, compared(parentTrees), list);
    } catch (error) {
      if (error instanceof TreeError) return incomplete;
      throw error;
    }
  }

  async #descend(
    root: number,
    rootParents: readonly number[],
    list: GrowableUint32,
  ): Promise<'complete' | typeof incomplete> {
    const places = this.#places;
    const pending: { tree: number; parents: readonly number[] }[] = [{ tree: root, parents: rootParents }];
    while (pending.length > 0) {
      if (this.#turns.due()) await this.#turns.pass();
      const { tree, parents } = pending.pop() as { tree: number; parents: readonly number[] };
      const reading = this.#tree(tree);
      const body = reading instanceof Promise ? await reading : reading;
      const parentBodies: Uint8Array[] = [];
      for (const parent of parents) {
        const parentReading = this.#tree(parent);
        parentBodies.push(parentReading instanceof Promise ? await parentReading : parentReading);
      }
      const entries = this.#compare(body, parentBodies);
      for (let i = 0; i < entries.length; i++) {
        const { mode, id, parentIds } = entries[i] as DifferingEntry;
        const kind = kindOfMode(mode);
        if (kind === 0) continue;
        const place = places.find(body, id);
        if (place < 0) return incomplete;
        if (places.kind(place) !== kind) return incomplete;
        if (!this.#list(place, list) || kind !== treeKind) continue;
        const childParents: number[] = [];
        for (let p = 0; p < parentIds.length; p++) {
          const at = parentIds[p] as number;
          if (at < 0) continue;
          const parentPlace = places.find(parentBodies[p] as Uint8Array, at);
          if (parentPlace >= 0 && places.kind(parentPlace) === treeKind) childParents.push(parentPlace);
        }
        pending.push({ tree: place, parents: compared(childParents) });
      }
    }
    return 'complete';
  }

  /** False if this node listed the place before. */
  #list(place: number, list: GrowableUint32): boolean {
    if (!this.#mark(place)) return false;
    list.push(place);
    return true;
  }

  #mark(place: number): boolean {
    const own = place < this.#ownListedBy.length;
    if ((own ? this.#ownListedBy[place] : this.#storedListedBy.get(place)) === this.#serial) return false;
    if (own) this.#ownListedBy[place] = this.#serial;
    else this.#storedListedBy.set(place, this.#serial);
    return true;
  }

  #compare(body: Uint8Array, parents: readonly Uint8Array[]): readonly DifferingEntry[] {
    const first = this.#difference(0);
    treeDifference(this.#codec, body, parents[0] ?? emptyTree, first);
    const entries: DifferingEntry[] = [];
    for (let i = 0; i < first.count; i++) {
      entries.push({
        start: first.starts[i] as number,
        mode: first.modes[i] as number,
        id: first.idOffsets[i] as number,
        parentIds: [first.parentIds[i] as number],
      });
    }
    let left: readonly DifferingEntry[] = entries;
    for (let p = 1; p < parents.length && left.length > 0; p++) {
      const other = this.#difference(1);
      treeDifference(this.#codec, body, parents[p] as Uint8Array, other);
      left = intersect(left, other);
    }
    return left;
  }

  #difference(i: number): TreeDifference {
    return (this.#differences[i] ??= newTreeDifference());
  }

  #tree(place: number): Uint8Array | Promise<Uint8Array> {
    const cached = this.#trees.get(place);
    if (cached !== undefined) return cached;
    const reading = this.#places.read(place);
    return reading instanceof Promise
      ? reading.then((object) => this.#keep(place, object))
      : this.#keep(place, reading);
  }

  #keep(place: number, object: GitObject): Uint8Array {
    this.#trees.set(place, object.body);
    return object.body;
  }
}

/** Trees to compare with: each once, and no more than pays off. With fewer, lists are longer but never short. */
function compared(trees: readonly number[]): readonly number[] {
  return trees.length < 2 ? trees : [...new Set(trees)].slice(0, comparedMax);
}

interface DifferingEntry {
  readonly start: number;
  readonly mode: number;
  readonly id: number;
  /** By parent: where the id of its subtree of that name stands; -1: it has none. */
  readonly parentIds: readonly number[];
}

/** The entries that differ from one more parent too. Both stand in the order of the tree. */
function intersect(entries: readonly DifferingEntry[], other: TreeDifference): readonly DifferingEntry[] {
  const both: DifferingEntry[] = [];
  let j = 0;
  for (const entry of entries) {
    while (j < other.count && (other.starts[j] as number) < entry.start) j++;
    if (j < other.count && other.starts[j] === entry.start) {
      both.push({ ...entry, parentIds: [...entry.parentIds, other.parentIds[j] as number] });
    }
  }
  return both;
}

/** Keeps what was used lately, by bytes: two generations, the older one dropped when the younger is half full. */
class TwoGenerationCache {
  readonly #half: number;
  #young = new Map<number, Uint8Array>();
  #old = new Map<number, Uint8Array>();
  #youngBytes = 0;

  constructor(bytes: number) {
    this.#half = bytes / 2;
  }

  get(key: number): Uint8Array | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: number, value: Uint8Array): void {
    if (this.#youngBytes > this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(key, value);
    this.#youngBytes += value.length + 64;
  }
}
