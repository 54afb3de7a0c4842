import { commitKind, treeKind } from '../object/kind.ts';
import { kindMask, type PackGraph } from '../graph/pack-graph.ts';
import type { SetPack } from '../graph/set-pack.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import { inTurns, stretches, type Steps } from '../work/loops.ts';
import { NotEnoughMemoryError } from '../work/memory-error.ts';
import type { Work } from '../work/scheduler.ts';
import { deltaSizeLeast, mayBeDelta, type DeltaMaker, type FoundDelta } from './delta-maker.ts';
import { chainDepthMax, ordinalOf, type MergePlan } from './merge-plan.ts';
import { VersionPairs } from './version-pairs.ts';

/** Deltas that were made for a pack, by ordinal. Their bases are in the plan. */
export type FoundDeltas = ReadonlyMap<number, FoundDelta>;

/** A delta must save at least a quarter of the stored bytes. */
const savedShare = 3 / 4;
/** Share of whole trees, and number of trees, from which on a pack counts as one that came without deltas. */
const wholeShare = 0.9;
const treesLeast = 64;

/** Bases that are tried for one object in vain: a folder may name one file any number of times. */
const triesMax = 4;

/** Work for a node, and for a link of a chain, as a number of entries. */
const entriesANode = 12;
const entriesALink = 3;

/**
 * Makes deltas for objects of a plan that are stored whole, and changes the bases of the plan (decision 0058). Pairs the
 * versions of each path in a commit and its first parent; of two versions, the one in front in the pack is the base.
 * So a later version is usually a delta of an earlier one, which clients that are slightly behind have.
 *
 * Looks at the commits of all packs but the first, whose objects were looked at when it was made, unless that one came
 * without deltas. Opens the trees that these commits change, and each object once that gets a delta. Stops early if
 * there is no more memory. Adds the deltas to `found`.
 */
export async function findDeltas(
  view: RepositoryView,
  plan: MergePlan,
  found: Map<number, FoundDelta>,
  maker: DeltaMaker,
  work: Work,
): Promise<void> {
  await new DeltaFinder(view, plan, found, maker, work).run();
}

/** Tests if nearly all trees of a pack are stored whole. Costs a few nanoseconds for each object. */
export function cameWithoutDeltas({ count, kinds, bases }: PackGraph): boolean {
  let trees = 0;
  let whole = 0;
  for (let i = 0; i < count; i++) {
    if (((kinds[i] as number) & kindMask) !== treeKind) continue;
    trees++;
    if ((bases[i] as number) < 0) whole++;
  }
  return trees >= treesLeast && whole > wholeShare * trees;
}

class DeltaFinder {
  readonly #found: Map<number, FoundDelta>;
  readonly #view: RepositoryView;
  readonly #plan: MergePlan;
  readonly #work: Work;
  readonly #pairs: VersionPairs;
  readonly #maker: DeltaMaker;
  /** By ordinal: links of the longest chain of deltas that is made of it. */
  readonly #heights: Uint8Array;
  /** By ordinal: bases that were tried in vain. */
  readonly #tries: Uint8Array;

  constructor(view: RepositoryView, plan: MergePlan, found: Map<number, FoundDelta>, maker: DeltaMaker, work: Work) {
    this.#found = found;
    this.#view = view;
    this.#plan = plan;
    this.#work = work;
    this.#pairs = new VersionPairs(view, plan, work);
    this.#maker = maker;
    this.#heights = new Uint8Array(plan.objects.length);
    this.#tries = new Uint8Array(plan.objects.length);
  }

  async run(): Promise<void> {
    const { packs } = this.#plan;
    const searched = packs.filter(({ graph }, i) => i > 0 || cameWithoutDeltas(graph));
    if (searched.length === 0) return;
    await this.#view.loadIndexes();
    await inTurns(this.#work, cost.entries, this.#measureChains());
    try {
      for (const pack of searched) await this.#searchPack(pack);
    } catch (error) {
      // What was found so far serves.
      if (!(error instanceof NotEnoughMemoryError)) throw error;
    }
  }

  *#measureChains(): Steps<void> {
    const { bases } = this.#plan;
    for (const [from, to] of stretches(bases.length)) {
      let links = 0;
      for (let ordinal = from; ordinal < to; ordinal++) {
        let depth = 0;
        for (let base = bases[ordinal] as number; base >= 0 && depth < 255; base = bases[base] as number) {
          depth++;
          this.#heights[base] = Math.max(this.#heights[base] as number, depth);
        }
        links += depth + 1;
      }
      yield entriesALink * links;
    }
  }

  async #searchPack({ graph, nodeStart }: SetPack): Promise<void> {
    const { set } = this.#view;
    for (let node = nodeStart; node < nodeStart + graph.nodeCount; node++) {
      if (this.#work.spend(cost.entries, entriesANode)) await this.#work.yield();
      if (set.nodeKind(node) !== commitKind) continue;
      await this.#pairs.compareWithParent(node, (version, earlier) => this.#pair(version, earlier));
    }
  }

  /**
   * Makes one of two versions a delta of the other, if that saves enough. Where they are deltas already, of different
   * objects, the one of these objects that is behind gets a base on the way from the other version.
   */
  async #pair(version: number, other: number): Promise<void> {
    const ordinals = [ordinalOf(this.#plan, version), ordinalOf(this.#plan, other)] as const;
    if (Math.min(...ordinals) < 0) return;
    const roots = [this.#rootOf(ordinals[0]), this.#rootOf(ordinals[1])] as const;
    const ordinal = Math.max(...roots);
    if (roots[0] === roots[1] || (this.#tries[ordinal] as number) >= triesMax) return;
    const front = this.#baseFor(ordinal, ordinals[ordinal === roots[0] ? 1 : 0]);
    if (front < 0) return;
    const [object, baseObject] = [ordinal, front].map((one) => this.#plan.objects[one]) as [number, number];
    const stored = this.#storedWhole(object);
    if (stored < deltaSizeLeast || stored > this.#view.engine.reads.windowMax) return;
    if (!mayBeDelta(this.#view, object) || !mayBeDelta(this.#view, baseObject)) return;
    const delta = await this.#maker.make(object, baseObject, Math.floor(stored * savedShare));
    if (delta === undefined) {
      this.#tries[ordinal] = (this.#tries[ordinal] as number) + 1;
      return;
    }
    this.#found.set(ordinal, delta);
    this.#link(ordinal, front);
  }

  /** The whole object that an ordinal is made of. */
  #rootOf(ordinal: number): number {
    const { bases } = this.#plan;
    let root = ordinal;
    for (let links = 0; (bases[root] as number) >= 0 && links <= chainDepthMax; links++) root = bases[root] as number;
    return root;
  }

  /**
   * Returns the base for an ordinal: `other`, or where that is behind it or its chain is too long, an object that `other`
   * is made of. Returns -1 if none serves.
   */
  #baseFor(ordinal: number, other: number): number {
    const { bases } = this.#plan;
    const chain: number[] = [];
    for (let one = other; one >= 0 && chain.length <= chainDepthMax; one = bases[one] as number) chain.push(one);
    const left = chainDepthMax - 1 - (this.#heights[ordinal] as number);
    const fits = chain.findIndex((one, i) => one < ordinal && chain.length - 1 - i <= left);
    if (fits < 0) return -1;
    // A chain that is full goes on at half of its length, so that not all further versions share one base.
    const isFull = fits > 0 && chain.length > chainDepthMax / 2;
    return chain[isFull ? Math.max(fits, chain.length >> 1) : fits] as number;
  }

  #link(ordinal: number, base: number): void {
    const { bases } = this.#plan;
    bases[ordinal] = base;
    let height = (this.#heights[ordinal] as number) + 1;
    for (let one = base; one >= 0 && height <= chainDepthMax; one = bases[one] as number, height++) {
      this.#heights[one] = Math.max(this.#heights[one] as number, height);
    }
  }

  /** Bytes of the stored entry of an object that is whole; 0 for a delta. */
  #storedWhole(object: number): number {
    const { objectStart, graph } = this.#view.set.packOfObject(object);
    const own = object - objectStart;
    if ((graph.bases[own] as number) >= 0) return 0;
    return (graph.offsets[own + 1] as number) - (graph.offsets[own] as number);
  }
}
