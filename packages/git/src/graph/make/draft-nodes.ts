import { commitKind, tagKind, type KindNumber } from '../../object/kind.ts';
import { objectIdBytes } from '../../object/object-id.ts';
import { cost } from '../../work/costs.ts';
import { inBlocks } from '../../work/loops.ts';
import type { Work } from '../../work/scheduler.ts';
import { GrowableInt32, GrowableUint32 } from '../growable.ts';
import type { NewNodes, NodeLinks, NodeReference, WalkBoundary, WalkPlaces } from './push-walk.ts';

/** A reference to something that is missing, or is no node. */
export const refused: NodeReference = -0x8000_0000;

/** Bytes that a node with one parent takes, and each further parent. */
const nodeBytes = 112;
const edgeBytes = 24;

/**
 * State of a draft: some reached object is missing; none is missing; all missing ones are beyond a client's boundary.
 */
const missing = 0;
const sound = 1;
const cutOff = 2;

/**
 * The new nodes of a push while they are found, numbered in the order they were met, in tables of a few bytes each.
 * A draft is made when a reference to it is met, and closed once its links are known, in the same order.
 */
export class DraftNodes {
  readonly #source: WalkPlaces;
  readonly #boundary: WalkBoundary;
  readonly #places = new GrowableUint32();
  readonly #trees = new GrowableInt32();
  readonly #dates = new GrowableUint32();
  readonly #states = new GrowableUint32();
  readonly #parentStarts = new GrowableUint32();
  readonly #parents = new GrowableInt32();
  /** By place of the push's own objects: draft plus one. */
  readonly #ownDrafts: Uint32Array;
  readonly #storedDrafts = new Map<number, number>();

  constructor(source: WalkPlaces, boundary: WalkBoundary) {
    this.#source = source;
    this.#boundary = boundary;
    this.#ownDrafts = new Uint32Array(source.ownPlaces);
    this.#parentStarts.push(0);
  }

  get count(): number {
    return this.#places.length;
  }

  /** Reference of the node that an id stands for; a new one becomes a draft. `anyKind`: also a tree or blob. */
  reference(ids: Uint8Array, at: number, anyKind: boolean): NodeReference {
    const node = this.#source.findNode(ids, at);
    if (node >= 0) return -1 - node;
    const place = this.#source.find(ids, at);
    if (place < 0) return refused;
    const own = place < this.#ownDrafts.length;
    const known = own ? (this.#ownDrafts[place] as number) : (this.#storedDrafts.get(place) ?? 0);
    if (known > 0) return known - 1;
    const kind = this.#source.kind(place);
    if (!anyKind && kind !== commitKind && kind !== tagKind) return refused;
    const draft = this.#places.length;
    this.#places.push(place);
    if (own) this.#ownDrafts[place] = draft + 1;
    else this.#storedDrafts.set(place, draft + 1);
    return draft;
  }

  /** Rough cost in bytes of the nodes and their parents, in the tables of the walk and of the graph made of them. */
  get memory(): number {
    return nodeBytes * this.count + edgeBytes * Math.max(0, this.#parents.length - this.count);
  }

  parentCount(node: number): number {
    return this.#start(node + 1) - this.#start(node);
  }

  place(node: number): number {
    return this.#places.values[node] as number;
  }

  kind(node: number): KindNumber {
    return this.#source.kind(this.place(node));
  }

  /** Kind of a new or verified node. */
  kindOf(reference: NodeReference): KindNumber {
    return reference < 0 ? this.#source.nodeKind(-1 - reference) : this.kind(reference);
  }

  tree(node: number): number {
    return this.#trees.at(node);
  }

  /** A tree or blob that a ref names itself: it is its own tree. */
  closeNameless(node: number): void {
    this.#close(this.place(node), 0, sound);
  }

  /** Enters the links of a commit or tag; undefined if they are unknown. */
  close(node: number, links: NodeLinks | undefined): void {
    if (links === undefined) this.#close(-1, 0, missing);
    else if (this.kind(node) === commitKind) this.#closeCommit(node, links);
    else this.#closeTag(links);
  }

  #closeCommit(node: number, { ids, offset, parentCount, date }: NodeLinks): void {
    const tree = this.#source.find(ids, offset);
    let state = tree < 0 ? missing : sound;
    const parents = state === sound && parentCount > 0 && this.#boundary.endsAt(this.place(node)) ? 0 : parentCount;
    for (let i = 1; i <= parents && state === sound; i++) {
      const parent = this.reference(ids, offset + i * objectIdBytes, false);
      if (parent === refused) state = this.#boundary.isCutAt(this.place(node)) ? cutOff : missing;
      else if (this.kindOf(parent) !== commitKind) state = missing;
      else this.#parents.push(parent);
    }
    this.#close(tree, date, state);
  }

  #closeTag({ ids, offset, targetKind, date }: NodeLinks): void {
    if (targetKind !== commitKind && targetKind !== tagKind) {
      const target = this.#source.find(ids, offset);
      this.#close(target, date, target >= 0 && this.#source.kind(target) === targetKind ? sound : missing);
      return;
    }
    const node = this.reference(ids, offset, false);
    const isSound = node !== refused && this.kindOf(node) === targetKind;
    if (isSound) this.#parents.push(node);
    this.#close(-1, date, isSound ? sound : missing);
  }

  #close(tree: number, date: number, state: number): void {
    this.#trees.push(tree);
    this.#dates.push(date);
    this.#states.push(state);
    this.#parentStarts.push(this.#parents.length);
  }

  /** By node: 1 if nothing is missing that the node or an ancestor names. `order` has parents before children. */
  async linked(order: Uint32Array, work: Work): Promise<Uint8Array> {
    const linked = new Uint8Array(this.count);
    for (const node of order) {
      if (work.spend(cost.entries, 1 + this.parentCount(node))) await work.yield();
      let isLinked = this.#states.values[node] === sound;
      for (let i = this.#start(node); i < this.#start(node + 1) && isLinked; i++) {
        const parent = this.#parents.at(i);
        isLinked = parent < 0 || linked[parent] === 1;
      }
      linked[node] = isLinked ? 1 : 0;
    }
    return linked;
  }

  /** Tests if nothing is missing for the node and its parents. Valid after the parents were visited. */
  isSound(node: number): boolean {
    if (this.#states.values[node] !== sound) return false;
    let state = sound;
    for (let i = this.#start(node); i < this.#start(node + 1) && state !== missing; i++) {
      const parent = this.#parents.at(i);
      if (parent >= 0 && this.#states.values[parent] !== sound) state = this.#states.values[parent] as number;
    }
    if (state === sound) return true;
    // What is stored of a parent beyond the client's boundary, without all that it reaches, is as good as not there.
    if (state === missing && this.kind(node) === commitKind && this.#boundary.isCutAt(this.place(node))) state = cutOff;
    this.#states.values[node] = state;
    return false;
  }

  /** Tests if a node is unsound only because of objects that a shallow client lacks. Valid after {@link isSound}. */
  isCutOff(node: number): boolean {
    return this.#states.values[node] === cutOff;
  }

  /** Something that the node itself reaches is missing. */
  refuse(node: number): void {
    this.#states.values[node] = missing;
  }

  /** Places of the trees of a commit's parents. */
  parentTrees(node: number): readonly number[] {
    const trees: number[] = [];
    if (this.kind(node) !== commitKind) return trees;
    for (let i = this.#start(node); i < this.#start(node + 1); i++) {
      const parent = this.#parents.at(i);
      const tree = parent < 0 ? this.#source.nodeTree(-1 - parent) : this.tree(parent);
      if (tree >= 0) trees.push(tree);
    }
    return trees;
  }

  /** All drafts, each after its parents, generation by generation: neighbours in history share their trees. */
  async parentsFirst(work: Work): Promise<Uint32Array> {
    const { count } = this;
    const childStarts = new Uint32Array(count + 2);
    const waiting = new Uint32Array(count);
    await this.#forEachEdge(work, (node, parent) => {
      childStarts[parent + 2] = (childStarts[parent + 2] as number) + 1;
      waiting[node] = (waiting[node] as number) + 1;
    });
    for (let i = 2; i < childStarts.length; i++) {
      childStarts[i] = (childStarts[i] as number) + (childStarts[i - 1] as number);
    }
    const children = new Uint32Array(childStarts[count + 1] as number);
    // Filling moves each start to its end, which is the start of the next: so the table is one place ahead at first.
    await this.#forEachEdge(work, (node, parent) => {
      const at = childStarts[parent + 1] as number;
      children[at] = node;
      childStarts[parent + 1] = at + 1;
    });
    const order = new Uint32Array(count);
    let filled = 0;
    for (let node = 0; node < count; node++) if (waiting[node] === 0) order[filled++] = node;
    for (let head = 0; head < filled; head++) {
      const node = order[head] as number;
      const end = childStarts[node + 1] as number;
      if (work.spend(cost.entries, 4 + end - (childStarts[node] as number))) await work.yield();
      for (let i = childStarts[node] as number; i < end; i++) {
        const child = children[i] as number;
        waiting[child] = (waiting[child] as number) - 1;
        if (waiting[child] === 0) order[filled++] = child;
      }
    }
    return order;
  }

  /** The tables in another order; references to new nodes are those of that order. */
  async inOrder(order: Uint32Array, work: Work): Promise<Omit<NewNodes, 'lists' | 'listStarts' | 'listEnds'>> {
    const { count } = this;
    const rank = new Uint32Array(count);
    await inBlocks(work, count, (from, to) => {
      for (let i = from; i < to; i++) rank[order[i] as number] = i;
    });
    const places = new Uint32Array(count);
    const trees = new Int32Array(count);
    const dates = new Uint32Array(count);
    const parentStarts = new Uint32Array(count + 1);
    const parents = new Int32Array(this.#parents.length);
    let filled = 0;
    const complete = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      const node = order[i] as number;
      if (work.spend(cost.entries, 8 + 4 * this.parentCount(node))) await work.yield();
      for (let p = this.#start(node); p < this.#start(node + 1); p++) {
        const parent = this.#parents.at(p);
        parents[filled++] = parent < 0 ? parent : (rank[parent] as number);
      }
      parentStarts[i + 1] = filled;
      places[i] = this.place(node);
      trees[i] = this.tree(node);
      dates[i] = this.#dates.values[node] as number;
      complete[i] = this.isSound(node) ? 1 : 0;
    }
    return {
      count,
      places,
      trees,
      parentsOf: (node) => parents.subarray(parentStarts[node], parentStarts[node + 1]),
      dates,
      complete,
    };
  }

  #start(node: number): number {
    return this.#parentStarts.values[node] as number;
  }

  async #forEachEdge(work: Work, visit: (node: number, parent: number) => void): Promise<void> {
    for (let node = 0; node < this.count; node++) {
      if (work.spend(cost.entries, 1 + this.parentCount(node))) await work.yield();
      for (let i = this.#start(node); i < this.#start(node + 1); i++) {
        const parent = this.#parents.at(i);
        if (parent >= 0) visit(node, parent);
      }
    }
  }
}
