import { commitKind, treeKind, type GitObject, type KindNumber } from '../object/kind.ts';
import { kindOfMode, TreeError } from '../object/tree.ts';
import { BodyRing } from '../pack/body-ring.ts';
import type { Codec } from '../ports/codec.ts';
import type { GrowableUint32 } from './growable.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
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
const treeCacheBytes = 2 * 1024 * 1024;

/** Computes lists one node after the other; parents should come before their children, for the caches' sake. */
export class IntroducedLists {
  readonly #codec: Codec;
  readonly #places: ObjectPlaces;
  readonly #work: Work;
  readonly #trees: BodyRing = new BodyRing(treeCacheBytes);
  readonly #differences: TreeDifference[] = [];
  /** By place: the last node that listed it; an object stands once in a list. */
  readonly #ownListedBy: Uint32Array;
  readonly #storedListedBy: Map<number, number> = new Map();
  #serial = 0;

  constructor(codec: Codec, places: ObjectPlaces, work: Work) {
    this.#codec = codec;
    this.#work = work;
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
      if (this.#work.spend(cost.steps)) await this.#work.yield();
      const { tree, parents } = pending.pop() as { tree: number; parents: readonly number[] };
      const gathering = this.#gather(tree, parents);
      const [body, ...parentBodies] = gathering instanceof Promise ? await gathering : gathering;
      for (const compared of [body, ...parentBodies]) this.#work.spend(cost.compared, compared.length);
      const entries = this.#compare(body, parentBodies);
      for (let i = 0; i < entries.length; i++) {
        // Each is looked for in all packs.
        if (this.#work.spend(cost.edges, 4)) await this.#work.yield();
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

  /** The bodies of a tree and of those it is compared with, all valid until others are gathered. */
  #gather(tree: number, parents: readonly number[]): TreeBodies | Promise<TreeBodies> {
    const places = [tree, ...parents];
    const bodies: Uint8Array[] = [];
    let gathered = 0;
    for (const place of places) {
      const reading = this.#tree(place);
      if (reading instanceof Promise) return this.#gatherSlowly(places, bodies, reading);
      bodies.push(reading);
      gathered += reading.length;
      // Views of a ring that was written too far round are views of something else.
      if (gathered > treeCacheBytes / 4) return this.#gatherSlowly(places, bodies, reading);
    }
    return bodies as unknown as TreeBodies;
  }

  /** The same with copies, as reading may write much. `last` is the reading of the last place that was tried. */
  async #gatherSlowly(
    places: readonly number[],
    found: readonly Uint8Array[],
    last: Uint8Array | Promise<Uint8Array>,
  ): Promise<TreeBodies> {
    const bodies = found.map((body) => body.slice());
    if (last instanceof Promise) bodies.push((await last).slice());
    for (let i = bodies.length; i < places.length; i++) bodies.push((await this.#tree(places[i] as number)).slice());
    return bodies as unknown as TreeBodies;
  }

  #tree(place: number): Uint8Array | Promise<Uint8Array> {
    const cached = this.#trees.get(place);
    if (cached !== undefined) return cached.body;
    const reading = this.#places.read(place);
    return reading instanceof Promise
      ? reading.then((object) => this.#keep(place, object))
      : this.#keep(place, reading);
  }

  #keep(place: number, object: GitObject): Uint8Array {
    const body = this.#trees.allocate(object.body.length);
    body.set(object.body);
    this.#trees.add(place, object.kind, body);
    return body;
  }
}

/** Trees to compare with: each once, and no more than pays off. With fewer, lists are longer but never short. */
function compared(trees: readonly number[]): readonly number[] {
  return trees.length < 2 ? trees : [...new Set(trees)].slice(0, comparedMax);
}

/** A tree's body, and behind it those of the trees it is compared with. */
type TreeBodies = readonly [Uint8Array, ...Uint8Array[]];

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
