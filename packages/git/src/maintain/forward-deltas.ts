import type { PackGraph } from '../graph/pack-graph.ts';
import { commitKind } from '../object/kind.ts';
import { isCostly } from '../memory/costly-objects.ts';
import { objectIdBytes } from '../object/object-id.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import { inTurns, stretches, type Steps } from '../work/loops.ts';
import { NotEnoughMemoryError } from '../work/memory-error.ts';
import type { Work } from '../work/scheduler.ts';
import { deltaSizeLeast, mayBeDelta, type DeltaMaker, type FoundDelta } from './delta-maker.ts';
import { commitsOf, type HistoryPart } from './history-part.ts';
import { chainDepthMax, cutChains, eachObject, ordinalOf, type MergePlan } from './merge-plan.ts';
import { VersionPairs } from './version-pairs.ts';

/** A plan whose history is stored forward, and the deltas for it by ordinal. */
export interface ForwardPlan {
  readonly plan: MergePlan;
  readonly deltas: Map<number, FoundDelta>;
}

/** A forward delta takes at most this share of its object, before compression. */
const deltaShare = 1 / 2;

/** Bytes for each object of the plan while it is ordered again: the tables of the history, and those of the plan. */
export const orderedPerObject: number = 4 + 4 + 4 + 1 + 4 + 4 + objectIdBytes + 4 + 1;

/** Work for a link of a chain, and for an object that moves, as a number of entries. */
const entriesALink = 3;
const entriesAMove = 8;

/**
 * Stores a part of the history of the first pack of a plan forward (GIT-194, decision 0066): each version of a path becomes a
 * delta of an earlier one, which a client that is slightly behind has. These objects, their bases and the commits move to
 * the front of the made pack, oldest first. A base without such a delta becomes whole. So each base there stands before
 * its deltas, no chain leads from the front to the rest, and no circle can arise. All other objects keep their bases,
 * unless their chain would get too long.
 *
 * Opens the trees that these commits change, and twice each version of a path. Makes the deltas of the newest
 * versions first, and stops early if there is no more memory.
 */
export async function storeForward(
  view: RepositoryView,
  plan: MergePlan,
  part: HistoryPart,
  maker: DeltaMaker,
  work: Work,
): Promise<ForwardPlan> {
  await view.loadIndexes();
  const history = new ForwardHistory(view, plan, work);
  await history.collect(part);
  await inTurns(work, cost.entries, history.chooseBases());
  await history.makeDeltas(maker);
  return inTurns(work, cost.entries, history.order());
}

class ForwardHistory {
  readonly #view: RepositoryView;
  readonly #plan: MergePlan;
  readonly #work: Work;
  /** Ordinals of versions, of their bases and of commits; each base before its versions. */
  readonly #order: Uint32Array;
  #count = 0;
  /** By place in the order: the place of the base; -1: none. */
  readonly #bases: Int32Array;
  /** By ordinal: one more than the place in the order; 0: none. */
  readonly #places: Uint32Array;
  readonly #found = new Map<number, FoundDelta>();

  constructor(view: RepositoryView, plan: MergePlan, work: Work) {
    this.#view = view;
    this.#plan = plan;
    this.#work = work;
    this.#order = new Uint32Array(plan.objects.length);
    this.#bases = new Int32Array(plan.objects.length);
    this.#places = new Uint32Array(plan.objects.length);
  }

  /** Finds the versions of paths in the commits, oldest first. */
  async collect(part: HistoryPart): Promise<void> {
    const { set } = this.#view;
    const [pack] = this.#plan.packs;
    if (pack === undefined) return;
    const pairs = new VersionPairs(this.#view, this.#plan, this.#work);
    for (const local of await commitsOf(pack.graph, part, this.#work)) {
      if (this.#work.spend(cost.entries, entriesAMove)) await this.#work.yield();
      const node = pack.nodeStart + local;
      const commit = ordinalOf(this.#plan, set.nodeObjects[node] as number);
      if (commit >= 0 && this.#places[commit] === 0) this.#add(commit, -1);
      await pairs.compareWithParent(node, (version, earlier) => this.#pair(version, earlier));
    }
  }

  #pair(version: number, earlier: number): void {
    const [ordinal, base] = [ordinalOf(this.#plan, version), ordinalOf(this.#plan, earlier)];
    // What is a base already stays in front of what was made of it.
    if (ordinal < 0 || base < 0 || ordinal === base || this.#places[ordinal] !== 0) return;
    if (![version, earlier].every((one) => this.#sizeOf(one) >= deltaSizeLeast && mayBeDelta(this.#view, one))) return;
    if (this.#places[base] === 0) this.#add(base, -1);
    this.#add(ordinal, (this.#places[base] as number) - 1);
  }

  #sizeOf(object: number): number {
    const { objectStart, graph } = this.#view.set.packOfObject(object);
    return graph.sizes[object - objectStart] as number;
  }

  #add(ordinal: number, base: number): void {
    this.#order[this.#count] = ordinal;
    this.#bases[this.#count] = base;
    this.#places[ordinal] = ++this.#count;
  }

  /** Replaces some bases by earlier versions, so that no chain gets too long. */
  *chooseBases(): Steps<void> {
    const heights = yield* this.#measureChains();
    const count = this.#count;
    const levels = new Uint32Array(count);
    const pivots = new Uint32Array(count);
    const longest = new Uint32Array(count);
    for (let place = 0; place < count; place++) {
      const base = this.#bases[place] as number;
      const pivot = base < 0 ? place : (pivots[base] as number);
      pivots[place] = pivot;
      if (base >= 0) levels[place] = (levels[base] as number) + 1;
      longest[pivot] = Math.max(longest[pivot] as number, levels[place] as number);
    }
    yield entriesALink * count;
    const earlier = this.#bases.slice(0, count);
    const depths = new Uint8Array(count);
    for (const [from, to] of stretches(count)) {
      let links = 0;
      for (let place = from; place < to; place++) {
        let base = earlier[place] as number;
        if (base < 0) continue;
        const step = stepAt(levels[place] as number, longest[pivots[place] as number] as number);
        links += step;
        for (let i = 1; i < step; i++) base = earlier[base] as number;
        const depthMax = chainDepthMax - 1 - (heights[place] as number);
        while ((depths[base] as number) > depthMax && (this.#bases[base] as number) >= 0)
          base = this.#bases[base] as number;
        this.#bases[place] = base;
        depths[place] = (depths[base] as number) + 1;
      }
      yield entriesALink * links;
    }
  }

  /** Returns by place the links of the longest chain that leads there from objects that do not move. */
  *#measureChains(): Steps<Uint8Array> {
    const heights = new Uint8Array(this.#count);
    const { bases } = this.#plan;
    for (const [from, to] of stretches(bases.length)) {
      let links = 0;
      for (let ordinal = from; ordinal < to; ordinal++) {
        let height = 0;
        let one = ordinal;
        for (; one >= 0 && this.#places[one] === 0 && height < 255; one = bases[one] as number) height++;
        links += height;
        const place = one < 0 ? -1 : (this.#places[one] as number) - 1;
        if (place >= 0) heights[place] = Math.max(heights[place] as number, height);
      }
      yield entriesALink * (to - from + links);
    }
    return heights;
  }

  async makeDeltas(maker: DeltaMaker): Promise<void> {
    const { objects } = this.#plan;
    try {
      for (let place = this.#count - 1; place >= 0; place--) {
        const base = this.#bases[place] as number;
        if (base < 0) continue;
        const [object, from] = [place, base].map((one) => objects[this.#order[one] as number]) as [number, number];
        const delta = await maker.make(object, from, Math.floor(this.#sizeOf(object) * deltaShare));
        if (delta !== undefined) this.#found.set(place, delta);
      }
    } catch (error) {
      // What was made so far serves.
      if (!(error instanceof NotEnoughMemoryError)) throw error;
    }
  }

  #isCommit(ordinal: number): boolean {
    return this.#view.set.kind(this.#plan.objects[ordinal] as number) === commitKind;
  }

  /** Moves what is stored forward to the front of the plan. */
  *order(): Steps<ForwardPlan> {
    const { objects, ordinals, bases, ids } = this.#plan;
    const count = objects.length;
    const isBase = new Uint8Array(this.#count);
    for (const place of this.#found.keys()) isBase[this.#bases[place] as number] = 1;
    /** By ordinal: the new one, plus one. */
    const moved = this.#places;
    moved.fill(0);
    const made = {
      objects: new Uint32Array(count),
      bases: new Int32Array(count).fill(-1),
      ids: new Uint8Array(ids.length),
    };
    const deltas = new Map<number, FoundDelta>();
    let next = 0;
    const move = (ordinal: number): void => {
      made.objects[next] = objects[ordinal] as number;
      made.ids.set(ids.subarray(ordinal * objectIdBytes, (ordinal + 1) * objectIdBytes), next * objectIdBytes);
      moved[ordinal] = ++next;
    };
    for (const [from, to] of stretches(this.#count)) {
      for (let place = from; place < to; place++) {
        const ordinal = this.#order[place] as number;
        const delta = this.#found.get(place);
        // Commits move in any case, which marks the pack.
        if (delta === undefined && isBase[place] === 0 && !this.#isCommit(ordinal)) continue;
        if (delta !== undefined) {
          deltas.set(next, delta);
          made.bases[next] = (moved[this.#order[this.#bases[place] as number] as number] as number) - 1;
        }
        move(ordinal);
      }
      yield entriesAMove * (to - from);
    }
    const front = next;
    for (const [from, to] of stretches(count)) {
      for (let ordinal = from; ordinal < to; ordinal++) if (moved[ordinal] === 0) move(ordinal);
      yield entriesAMove * (to - from);
    }
    for (const [from, to] of stretches(count)) {
      for (let ordinal = from; ordinal < to; ordinal++) {
        const place = (moved[ordinal] as number) - 1;
        const base = bases[ordinal] as number;
        if (place >= front && base >= 0) made.bases[place] = (moved[base] as number) - 1;
      }
      yield entriesAMove * (to - from);
    }
    for (const [from, to] of stretches(ordinals.length)) {
      for (let i = from; i < to; i++) {
        const ordinal = ordinals[i] as number;
        if (ordinal < count) ordinals[i] = (moved[ordinal] as number) - 1;
      }
      yield entriesAMove * (to - from);
    }
    const plan = { ...this.#plan, ...made, front };
    const sizes = new Uint32Array(count);
    yield* eachObject(plan, (ordinal, { graph }: { graph: PackGraph }, own) => {
      // No memory is set aside for what takes much to become whole.
      sizes[ordinal] = isCostly(graph, own) ? 0xffff_ffff : (graph.sizes[own] as number);
    });
    yield* cutChains(made.bases, sizes);
    return { plan, deltas };
  }
}

/**
 * Returns how many versions before version `level` its base is, in a chain of `longest` versions: one, but in a long chain
 * more at each multiple of a power of a radix. So the depth is the sum of the digits, and most deltas stay small.
 */
export function stepAt(level: number, longest: number): number {
  if (longest <= chainDepthMax) return 1;
  let digits = 1;
  let radix: number;
  do radix = Math.floor((chainDepthMax - 1) / ++digits) + 1;
  while (radix ** digits <= longest);
  let step = 1;
  while (level % (step * radix) === 0) step *= radix;
  return step;
}
