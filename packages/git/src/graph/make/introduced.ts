import { commitKind, treeKind, type GitObject, type KindNumber } from '../../object/kind.ts';
import { kindOfMode, TreeError } from '../../object/tree.ts';
import { BodyRing } from '../../pack/body-ring.ts';
import type { MemoryShare } from '../../pack/receive/incoming-pack.ts';
import { MemoryAccount } from '../../pack/receive/memory-account.ts';
import type { Codec } from '../../ports/codec.ts';
import type { GrowableUint32 } from '../growable.ts';
import { cost } from '../../work/costs.ts';
import type { Work } from '../../work/scheduler.ts';
import { TreeDifference, type DifferenceStep } from './tree-difference.ts';

/**
 * Objects that the nodes of a push introduce, found in the walk that also checks connectivity (`docs/design/graph.md`,
 * "Push"; GIT-149).
 *
 * Objects have **places** here: integers that the caller assigns, one per object.
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
  /** Places of the trees of all parents; in any order, also several times. */
  readonly parentTrees: readonly number[];
}

/** Something that the node reaches is not there, or is not what it is named as. */
export const incomplete = 'incomplete';

/** Compared with trees that have no tree in a parent. */
const emptyTree = new Uint8Array(0);
/** Merges of more parents are rare, and comparing with each costs as much as all before. */
const comparedMax = 16;
/** Bytes of a tree and those it is compared with, after which no more are read than the first one of a parent. */
const comparedBytesMax = 8 * 1024 * 1024;
const treeCacheBytes = 2 * 1024 * 1024;

/**
 * Computes lists one node after the other. Call it in the order in which the pack holds their trees, so that caches hit.
 * Use a list only if the parents of its node are accepted, too.
 */
export class IntroducedLists {
  readonly #places: ObjectPlaces;
  readonly #work: Work;
  readonly #account: MemoryAccount;
  readonly #trees: BodyRing = new BodyRing(treeCacheBytes);
  readonly #entries: DifferingEntries;
  /** By place: the last node that listed it; an object stands once in a list. */
  readonly #ownListedBy: Uint32Array;
  readonly #storedListedBy: Map<number, number> = new Map();
  #serial = 0;

  /** `memory` pays for large trees. Default: they are not accounted for. */
  constructor(codec: Codec, places: ObjectPlaces, work: Work, memory?: MemoryShare) {
    this.#entries = new DifferingEntries(codec);
    this.#account = new MemoryAccount(memory, comparedBytesMax);
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
      // A parent may name another kind of object as its tree. It is refused later.
      const trees = parentTrees.filter((tree) => this.#places.kind(tree) === treeKind);
      return await this.#descend(node.tree, compared(trees), list);
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
    const work = this.#work;
    const entries = this.#entries;
    const pending: { tree: number; parents: readonly number[] }[] = [{ tree: root, parents: rootParents }];
    while (pending.length > 0) {
      if (work.spend(cost.steps)) await work.yield();
      const { tree, parents } = pending.pop() as { tree: number; parents: readonly number[] };
      const gathering = this.#gather(tree, parents);
      const bodies = gathering instanceof Promise ? await gathering : gathering;
      const [body, ...parentBodies] = bodies;
      for (const { length } of bodies) if (work.spend(cost.compared, length)) await work.yield();
      entries.reset(body, parentBodies);
      for (;;) {
        const step = entries.next();
        if (step !== 'differs') {
          if (work.spend(cost.entries, entries.takePassed())) await work.yield();
          if (step === 'end') break;
          continue;
        }
        // Each is looked for in all packs.
        if (work.spend(cost.edges, 4)) await work.yield();
        const kind = kindOfMode(entries.mode);
        if (kind === 0) continue;
        const place = places.find(body, entries.idAt);
        if (place < 0) return incomplete;
        if (places.kind(place) !== kind) return incomplete;
        if (!this.#list(place, list) || kind !== treeKind) continue;
        const childParents: number[] = [];
        for (let p = 0; p < parentBodies.length; p++) {
          const at = entries.parentIdAt(p);
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

  /** Lets go of the memory of large trees. */
  release(): void {
    this.#account.set(0);
  }

  /** The bodies of a tree and of those it is compared with, all valid until others are gathered. */
  #gather(tree: number, parents: readonly number[]): TreeBodies | Promise<TreeBodies> {
    this.#account.set(0);
    const places = [tree, ...parents];
    const bodies: Uint8Array[] = [];
    let gathered = 0;
    for (const place of places) {
      const reading = this.#tree(place);
      if (reading instanceof Promise) return this.#gatherSlowly(places, bodies, reading);
      bodies.push(reading);
      gathered += reading.length;
      // Views of a ring that was written too far round are views of something else.
      if (gathered > treeCacheBytes / 4) return this.#gatherSlowly(places, bodies);
    }
    return bodies as unknown as TreeBodies;
  }

  /** The same with copies, as reading may write much. `next`: the reading of the place behind those that were found. */
  async #gatherSlowly(
    places: readonly number[],
    found: readonly Uint8Array[],
    next?: Promise<Uint8Array>,
  ): Promise<TreeBodies> {
    const bodies: Uint8Array[] = [];
    let gathered = 0;
    const keep = (body: Uint8Array): void => {
      // A large one is no view of the ring.
      const own = body.length > this.#trees.bodyMax ? body : body.slice();
      gathered += own.buffer.byteLength;
      this.#account.set(gathered);
      bodies.push(own);
    };
    for (const body of found) keep(body);
    if (next !== undefined) keep(await next);
    for (const place of places.slice(bodies.length)) {
      // The others only shorten the list, and each may be as large as a tree can be.
      if (bodies.length > 1 && gathered > comparedBytesMax) break;
      keep(await this.#tree(place));
    }
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
    // A large body is no view of the reader's cache.
    if (object.body.length > this.#trees.bodyMax) return object.body;
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

/** The entries of a tree that none of its parents' trees holds, one after the other. */
class DifferingEntries {
  readonly #codec: Codec;
  /** By parent; without a parent, one that compares with the empty tree. */
  readonly #differences: TreeDifference[] = [];
  #count = 0;
  /** How many of the differences have the entry of the first one; 0: that has none at hand. */
  #having = 0;

  constructor(codec: Codec) {
    this.#codec = codec;
  }

  reset(tree: Uint8Array, parents: readonly Uint8Array[]): void {
    this.#count = Math.max(1, parents.length);
    this.#having = 0;
    for (let i = 0; i < this.#count; i++) this.#difference(i).reset(tree, parents[i] ?? emptyTree);
  }

  /** @throws {TreeError} where an entry cannot be read. */
  next(): DifferenceStep {
    const first = this.#difference(0);
    for (;;) {
      if (this.#having === 0) {
        const step = first.next();
        if (step !== 'differs') return step;
        this.#having = 1;
      }
      while (this.#having > 0 && this.#having < this.#count) {
        const other = this.#difference(this.#having);
        while (other.start < first.start) if (other.next() === 'pause') return 'pause';
        this.#having = other.start === first.start ? this.#having + 1 : 0;
      }
      if (this.#having === 0) continue;
      this.#having = 0;
      return 'differs';
    }
  }

  /** Does the same as {@link TreeDifference.takePassed}. */
  takePassed(): number {
    let passed = 0;
    for (let i = 0; i < this.#count; i++) passed += this.#difference(i).takePassed();
    return passed;
  }

  get mode(): number {
    return this.#difference(0).mode;
  }

  get idAt(): number {
    return this.#difference(0).idAt;
  }

  /** Does the same as {@link TreeDifference.parentIdAt}, by parent. */
  parentIdAt(parent: number): number {
    return this.#difference(parent).parentIdAt;
  }

  #difference(i: number): TreeDifference {
    return (this.#differences[i] ??= new TreeDifference(this.#codec));
  }
}
