import type { ObjectFilter } from '../../filter/object-filter.ts';
import { PlanFilter } from '../../filter/plan-filter.ts';
import { blobKind, commitKind, treeKind } from '../../object/kind.ts';
import { cost } from '../../work/costs.ts';
import { entriesAStop, inTurns, stretches, type Steps } from '../../work/loops.ts';
import type { Work } from '../../work/scheduler.ts';
import type { GraphSet } from '../../graph/graph-set.ts';
import type { Introducers } from '../../graph/introducers.ts';
import { globalObject } from '../../graph/set-pack.ts';
import { common, paintRequest, wanted } from './paint-request.ts';
import { SparseBytes } from './sparse-bytes.ts';
import { kindMask, noObject } from '../../graph/pack-graph.ts';
import { TagEnds, tagTarget } from '../../graph/peel.ts';
import { walkSnapshot, type TreeSource } from '../../graph/snapshot-walk.ts';

/**
 * Input of planning a fetch over integers, without opening an object (`docs/design/graph.md`, "Fetch"). The plan has
 * the objects that nodes introduce which the wants reach and the client lacks, except objects that the client has by
 * another node.
 */
export interface FetchRequestNodes {
  /** Nodes the client wants. */
  readonly wants: readonly number[];
  /** Objects other than nodes that are wanted by id, with everything they reach. */
  readonly objects: Iterable<number>;
  /** Those of them that are wanted directly. Used only with a filter. Default: none. */
  readonly given?: Iterable<number>;
  /** Filter of the client (GIT-080 to GIT-087). Default: no filter. */
  readonly filter?: ObjectFilter | undefined;
  /** Nodes that client and server have in common. */
  readonly common: readonly number[];
  /** Nodes of visible tags, if `include-tag` was asked for (GIT-068). */
  readonly tags: readonly number[];
  /** Commits that the client has without their parents: its history is cut below them (GIT-065). Default: none. */
  readonly clientShallow?: readonly number[];
  /** Commits at which the reply cuts history, or removes cuts of the client. Default: no cuts. */
  readonly bounds?: HistoryBounds | undefined;
}

/** Changes of a request with a depth to the boundary of the client (GIT-072 to GIT-074). */
export interface HistoryBounds {
  /** Commits that end the history which is sent: their parents are not reached through them. */
  readonly cuts: readonly number[];
  /** Commits of the client's boundary that get `unshallow`: held with their trees, and their parents are wanted. */
  readonly unshallowed: readonly number[];
}

export interface FetchPlan {
  /** Numbers of the objects to send, ascending: by pack and offset. */
  readonly objects: Uint32Array;
  /** Tests if the client certainly has an object, so that a thin pack may lean on it (GIT-067). */
  readonly held: (object: number) => boolean;
}

/** State bits of an object while a plan is made. */
const isHeld = 1;
const isChosen = 2;
/** Its snapshot is or will be gone through. */
const isWalked = 4;
/** No node that is common introduces it: an object may have many introducers, so they are asked once. */
const isLacked = 8;

/** Entries that a look at a node counts for. */
const entriesANode = 10;
/** Entries that choosing an object counts for, and that looking for what the client holds adds. */
const entriesAChoice = 3;
const entriesAHolding = 5;

/**
 * Makes the plan: paints all nodes, walks the lists of those that are sent, and collects the objects in them. Yields to
 * other work.
 *
 * Reads `trees` if a commit is sent or held without its parents, since lists do not contain its whole snapshot.
 */
export async function planFetch(
  set: GraphSet,
  request: FetchRequestNodes,
  work: Work,
  trees?: TreeSource,
): Promise<FetchPlan> {
  const ends = new TagEnds(set);
  await ends.find(request.wants, work);
  await ends.find(request.tags, work);
  const { colours, sent, heldTrees, sentTrees } = await paintRequest(work, set, request);
  const filter = new PlanFilter(set, request.filter);
  await inTurns(work, cost.entries, giveWants(set, request, ends, filter));
  await inTurns(work, cost.entries, addTags(set, request.tags, ends, colours, filter));
  const commonExists = request.common.length > 0 || (request.bounds?.unshallowed.length ?? 0) > 0;
  const introducers = commonExists ? await set.loadIntroducers(work) : undefined;
  const known = new SparseBytes(set.objectCount);
  const held = (object: number): boolean => {
    const bits = known.get(object);
    if (introducers === undefined || (bits & (isHeld | isLacked)) !== 0) return (bits & isHeld) !== 0;
    const isFound = introducers.hasIntroducer(object, colours, common);
    known.set(object, bits | (isFound ? isHeld : isLacked));
    return isFound;
  };

  const isSent = (object: number): boolean => (known.get(object) & isChosen) !== 0;
  let count = 0;
  // An object wanted by id, or by a tag of a tree or blob, is sent even if the client has it (GIT-066, GIT-086).
  const insist = (object: number): void => {
    if (object === noObject || isSent(object) || !filter.passes(object)) return;
    known.set(object, known.get(object) | isChosen);
    count++;
  };
  const choose = (object: number): void => {
    if (object === noObject || (known.get(object) & (isHeld | isChosen)) !== 0 || !filter.passes(object)) return;
    const isFound = held(object);
    known.set(object, known.get(object) | (isFound ? isHeld : isChosen));
    if (!isFound) count++;
  };
  const enterHeld = (object: number): boolean => {
    if (known.get(object) === isHeld) return false;
    known.set(object, isHeld);
    return true;
  };
  const passesBlobs = filter.passesSome(blobKind);
  const passesFiles = passesBlobs || filter.passesSome(treeKind);
  if (sent > 0 && passesFiles) await walkTrees(trees, heldTrees, enterHeld, work, passesBlobs);
  await inTurns(work, cost.entries, chooseListed(set, colours, introducers, filter, choose));
  // A tree that is held is so with all below it. One that another node lists may still have what only this one brings.
  const enter = (object: number): boolean => {
    if ((known.get(object) & isWalked) !== 0) return false;
    known.set(object, known.get(object) | isWalked);
    choose(object);
    // What is left out was not looked up.
    return filter.passes(object) ? (known.get(object) & isHeld) === 0 : !held(object);
  };
  if (passesFiles) await walkTrees(trees, sentTrees, enter, work, passesBlobs);
  if (filter.hasPlaces) {
    if (trees === undefined) throw new Error('a plan with places must read trees');
    const roots = await inTurns(work, cost.entries, rootsOf(set, colours));
    await filter.place({ trees, roots, isHeld: held, work });
    for (const [from, bits] of known.stretches()) {
      for (let i = 0; i < bits.length; i++) {
        if (((bits[i] as number) & isChosen) === 0 || filter.passes(from + i)) continue;
        bits[i] = (bits[i] as number) & ~isChosen;
        count--;
      }
      if (work.spend(cost.entries, entriesAChoice * bits.length)) await work.yield();
    }
  }
  await inTurns(work, cost.entries, forEach(request.objects, insist));
  await inTurns(work, cost.entries, insistOnTagged(set, request.wants, ends, insist));
  const chooseGiven = (object: number): void => {
    filter.give(object);
    choose(object);
  };
  await inTurns(work, cost.entries, chooseTagsOfSent(set, request.tags, ends, isSent, chooseGiven));

  const objects = new Uint32Array(count);
  let filled = 0;
  for (const [from, bits] of known.stretches()) {
    for (let i = 0; i < bits.length && filled < count; i++) {
      if (((bits[i] as number) & isChosen) !== 0) objects[filled++] = from + i;
    }
    if (work.spend(cost.entries, bits.length / 4)) await work.yield();
  }
  return { objects, held: filter.held(held) };
}

/** Chooses what the wanted nodes are and introduce, but no given file of a kind that does not pass otherwise. */
function* chooseListed(
  set: GraphSet,
  colours: Uint8Array,
  introducers: Introducers | undefined,
  filter: PlanFilter,
  choose: (object: number) => void,
): Steps<void> {
  const entriesAnObject = entriesAChoice + (introducers === undefined ? 0 : entriesAHolding);
  const skipsBlobs = !filter.passesSome(blobKind);
  const skipsLists = skipsBlobs && !filter.passesSome(treeKind);
  let passed = 0;
  // A few nodes are wanted after a push, of a history of any length.
  const first = colours.indexOf(wanted);
  const last = colours.lastIndexOf(wanted);
  for (const pack of set.packs) {
    const { graph, nodeStart } = pack;
    const stop = Math.min(graph.nodeCount, last + 1 - nodeStart);
    for (let node = Math.max(0, first - nodeStart); node < stop; node++) {
      passed++;
      if (colours[nodeStart + node] === wanted) {
        choose(set.nodeObjects[nodeStart + node] as number);
        const end = skipsLists ? 0 : (graph.listStarts[node + 1] as number);
        for (let i = graph.listStarts[node] as number; i < end; i++) {
          const reference = graph.lists[i] as number;
          const isSkipped = skipsBlobs && ((graph.kinds[reference] ?? 0) & kindMask) === blobKind;
          const followed = introducers?.followed ?? 0;
          if (!isSkipped) choose(globalObject(pack, reference));
          passed += isSkipped ? 1 : entriesAnObject + (introducers?.followed ?? 0) - followed;
          if (passed < entriesAStop) continue;
          yield passed;
          passed = 0;
        }
      }
      if (passed < entriesAStop) continue;
      yield passed;
      passed = 0;
    }
  }
  yield passed;
}

function* forEach(objects: Iterable<number>, visit: (object: number) => void): Steps<void> {
  let passed = 0;
  for (const object of objects) {
    visit(object);
    passed += entriesAChoice;
    if (passed < entriesAStop) continue;
    yield passed;
    passed = 0;
  }
  yield passed;
}

async function walkTrees(
  trees: TreeSource | undefined,
  roots: readonly number[],
  enter: (object: number) => boolean,
  work: Work,
  withBlobs: boolean,
): Promise<void> {
  if (roots.length === 0) return;
  if (trees === undefined) throw new Error('a plan with boundaries must read trees');
  await trees.loadIndexes();
  for (const root of roots) await walkSnapshot(trees, root, enter, work, withBlobs);
}

/** Objects wanted by id are sent regardless of the filter, and as in stock git, also the targets of wanted tags. */
function* giveWants(
  set: GraphSet,
  { wants, given = [] }: FetchRequestNodes,
  ends: TagEnds,
  filter: PlanFilter,
): Steps<void> {
  const seen = new SparseBytes(set.nodeCount);
  for (const want of wants) {
    const end = ends.of(want);
    for (const node of restOfChain(set, want, end, seen)) {
      filter.give(set.nodeObjects[node] as number);
      yield entriesANode;
    }
    if (set.nodeKind(end) !== commitKind) filter.give(set.nodeTrees[end] as number);
    yield entriesANode;
  }
  for (const object of given) filter.give(object);
}

/** Root trees of the commits that are sent. */
function* rootsOf(set: GraphSet, colours: Uint8Array): Steps<readonly number[]> {
  const roots = new Set<number>();
  for (const [from, to] of stretches(set.nodeCount)) {
    for (let node = from; node < to; node++) {
      if (colours[node] === wanted && set.nodeKind(node) === commitKind) roots.add(set.nodeTrees[node] as number);
    }
    yield entriesANode * (to - from);
  }
  return [...roots];
}

/** Colours tags of commits that are sent, with each tag in between. */
function* addTags(
  set: GraphSet,
  tags: readonly number[],
  ends: TagEnds,
  colours: Uint8Array,
  filter: PlanFilter,
): Steps<void> {
  for (const tag of tags) {
    yield entriesANode;
    const end = ends.of(tag);
    if (colours[end] !== wanted || !filter.passes(set.nodeObjects[end] as number)) continue;
    for (let node = tag; node !== end && colours[node] === 0; node = tagTarget(set, node)) {
      colours[node] = wanted;
      filter.give(set.nodeObjects[node] as number);
      yield entriesANode;
    }
  }
}

/** Chooses tags of trees and blobs that are sent, with each tag in between. */
function* chooseTagsOfSent(
  set: GraphSet,
  tags: readonly number[],
  ends: TagEnds,
  isSent: (object: number) => boolean,
  choose: (object: number) => void,
): Steps<void> {
  const seen = new SparseBytes(set.nodeCount);
  for (const tag of tags) {
    yield entriesANode;
    const end = ends.of(tag);
    if (set.nodeKind(end) === commitKind || !isSent(set.nodeTrees[end] as number)) continue;
    for (const node of restOfChain(set, tag, end, seen)) {
      choose(set.nodeObjects[node] as number);
      yield entriesANode;
    }
  }
}

function* insistOnTagged(
  set: GraphSet,
  wants: readonly number[],
  ends: TagEnds,
  insist: (object: number) => void,
): Steps<void> {
  const seen = new SparseBytes(set.nodeCount);
  for (const want of wants) {
    yield entriesANode;
    const end = ends.of(want);
    if (set.nodeKind(end) === commitKind) continue;
    for (const node of restOfChain(set, want, end, seen)) {
      insist(set.nodeObjects[node] as number);
      yield entriesANode;
      if (node === end) yield* forEach(set.introduced(end), insist);
    }
  }
}

/** The nodes from a tag to its end that were not seen yet. Behind one that was, all were. */
function* restOfChain(set: GraphSet, tag: number, end: number, seen: SparseBytes): Generator<number, void, undefined> {
  for (let node = tag; seen.get(node) === 0; node = tagTarget(set, node)) {
    seen.set(node, 1);
    yield node;
    if (node === end) return;
  }
}
