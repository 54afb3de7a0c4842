import { concatenate } from '../bytes/concatenate.ts';
import { GrowingBuffer } from '../bytes/growing-buffer.ts';
import { TreeDifference } from '../graph/make/tree-difference.ts';
import { kindMask, noObject, type PackGraph } from '../graph/pack-graph.ts';
import type { SetPack } from '../graph/set-pack.ts';
import { NotEnoughMemoryError } from '../work/memory-error.ts';
import type { Reservation } from '../memory/admission.ts';
import { readingMemory, usualReading } from '../memory/reading-memory.ts';
import { blobKind, commitKind, treeKind } from '../object/kind.ts';
import { kindOfMode } from '../object/tree.ts';
import { deflateInTurns } from '../pack/deflate-in-turns.ts';
import { DeltaEncoder } from '../pack/encode-delta.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import { inTurns, stretches, type Steps } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';
import { chainDepthMax, type MergePlan } from './merge-plan.ts';

/** Deltas that were made for a pack, by ordinal. Their bases are in the plan. */
export type FoundDeltas = ReadonlyMap<number, FoundDelta>;

export interface FoundDelta {
  /** Bytes of the delta before compression. */
  readonly size: number;
  /** The delta, compressed. */
  readonly data: Uint8Array;
}

/** Objects with fewer bytes, and their deltas, are about as long as a header. */
const sizeLeast = 48;
/** A delta must save at least a quarter of the stored bytes. */
const savedShare = 3 / 4;
/** Level at which deltas are compressed: made once, read often. */
const deltaLevel = 6;
/** Bytes of deltas whose memory is taken at once. */
const memoryStep = 1024 * 1024;
/** Bytes of a delta beside its data. */
const deltaOverhead = 200;
/** Part of what a request may take, and bytes, that all deltas of a pack may take. The merge itself needs the rest. */
const memoryShare = 1 / 4;
const memoryMost = 64 * memoryStep;
/** Numbers of objects whose pairs wait while the trees of one commit are compared. Further pairs are left out. */
const waitingMax = 131_072;
/** Bases that are tried for one object in vain: a folder may name one file any number of times. */
const triesMax = 4;
/** Bytes of one object to be made a delta, and of its base: they must fit into what a reading usually takes. */
const sizeMax = usualReading / 8;

/** Bytes of a buffer for bodies, to begin with. */
const usualBody = 64 * 1024;

/** Share of whole trees, and number of trees, from which on a pack counts as one that came without deltas. */
const wholeShare = 0.9;
const treesLeast = 64;

/** Work for a node, for a link of a chain, and for an object that is looked for, as a number of entries. */
const entriesANode = 12;
const entriesALink = 3;
const entriesALookUp = 32;

/**
 * Makes deltas for objects of a plan that are stored whole, and changes the bases of the plan (decision 0058). Pairs the
 * versions of each path in a commit and its first parent; of two versions, the one in front in the pack is the base.
 * So a later version is usually a delta of an earlier one, which clients that are slightly behind have.
 *
 * Looks at the commits of all packs but the first, whose objects were looked at when it was made, unless that one came
 * without deltas. Opens the trees that these commits change, and each object once that gets a delta. Stops early if
 * there is no more memory.
 */
export async function findDeltas(
  view: RepositoryView,
  plan: MergePlan,
  memory: Reservation,
  work: Work,
): Promise<Map<number, FoundDelta>> {
  const finder = new DeltaFinder(view, plan, memory, work);
  await finder.run();
  return finder.found;
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
  readonly found: Map<number, FoundDelta> = new Map();
  readonly #view: RepositoryView;
  readonly #plan: MergePlan;
  readonly #memory: Reservation;
  readonly #work: Work;
  readonly #difference: TreeDifference;
  readonly #encoder = new DeltaEncoder();
  /** By ordinal: links of the longest chain of deltas that is made of it. */
  readonly #heights: Uint8Array;
  /** By ordinal: whether a tree was compared. */
  readonly #isCompared: Uint8Array;
  /** By ordinal: bases that were tried in vain. */
  readonly #tries: Uint8Array;
  #taken = 0;
  #granted = 0;
  /** Copies of bodies, which are valid until the next read. */
  readonly #tree = new GrowingBuffer(usualBody);
  readonly #base = new GrowingBuffer(usualBody);

  constructor(view: RepositoryView, plan: MergePlan, memory: Reservation, work: Work) {
    const count = plan.objects.length;
    this.#view = view;
    this.#plan = plan;
    this.#memory = memory;
    this.#work = work;
    this.#difference = new TreeDifference(view.engine.codec);
    this.#heights = new Uint8Array(count);
    this.#isCompared = new Uint8Array(count);
    this.#tries = new Uint8Array(count);
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
      const first = set.parentStarts[node] as number;
      if (set.nodeKind(node) !== commitKind || first === set.parentStarts[node + 1]) continue;
      const parent = set.parents[first] as number;
      await this.#compare(set.nodeTrees[node] as number, set.nodeTrees[parent] as number);
    }
  }

  /** Compares a tree with an earlier version, and all below them that differ. */
  async #compare(root: number, earlier: number): Promise<void> {
    const open: number[] = [root, earlier];
    const files: number[] = [];
    while (open.length > 0) {
      const old = open.pop() as number;
      const tree = open.pop() as number;
      const ordinal = this.#ordinal(tree);
      if (tree === old || ordinal < 0 || this.#isCompared[ordinal] !== 0) continue;
      this.#isCompared[ordinal] = 1;
      if (!this.#isSmall(tree) || !this.#isSmall(old)) continue;
      await this.#pair(tree, old);
      const body = await this.#copyOf(tree, this.#tree);
      const before = (await this.#view.read(old)).body;
      const difference = this.#difference;
      difference.reset(body, before);
      for (let step = difference.next(); step !== 'end'; step = difference.next()) {
        if (this.#work.spend(cost.entries, difference.takePassed() + entriesALookUp)) await this.#work.yield();
        if (step === 'pause') continue;
        const kind = kindOfMode(difference.mode);
        const at = kind === treeKind ? difference.parentIdAt : kind === blobKind ? difference.parentFileAt : -1;
        if (at < 0) continue;
        const pair = [this.#view.findObject(body, difference.idAt), this.#view.findObject(before, at)] as const;
        const waiting = kind === treeKind ? open : files;
        if (pair[0] >= 0 && pair[1] >= 0 && waiting.length < waitingMax) waiting.push(...pair);
      }
    }
    for (let i = 0; i < files.length; i += 2) await this.#pair(files[i] as number, files[i + 1] as number);
  }

  /**
   * Makes one of two versions a delta of the other, if that saves enough. Where they are deltas already, of different
   * objects, the one of these objects that is behind gets a base on the way from the other version.
   */
  async #pair(version: number, other: number): Promise<void> {
    const ordinals = [this.#ordinal(version), this.#ordinal(other)] as const;
    if (Math.min(...ordinals) < 0) return;
    const roots = [this.#rootOf(ordinals[0]), this.#rootOf(ordinals[1])] as const;
    const ordinal = Math.max(...roots);
    if (roots[0] === roots[1] || (this.#tries[ordinal] as number) >= triesMax) return;
    const front = this.#baseFor(ordinal, ordinals[ordinal === roots[0] ? 1 : 0]);
    if (front < 0) return;
    const [object, baseObject] = [ordinal, front].map((one) => this.#plan.objects[one]) as [number, number];
    const stored = this.#storedWhole(object);
    if (stored < sizeLeast || stored > this.#view.engine.reads.windowMax) return;
    if (!this.#isSmall(object) || !this.#isSmall(baseObject)) return;
    const base = await this.#copyOf(baseObject, this.#base);
    this.#encoder.setBase(base);
    const { body } = await this.#view.read(object);
    const delta = this.#encoder.encode(body, Math.floor(stored * savedShare));
    const compared = 25 * (body.length + base.length) + 5 * this.#encoder.compared;
    if (this.#work.spend(cost.compared, compared)) await this.#work.yield();
    if (delta === undefined) {
      this.#tries[ordinal] = (this.#tries[ordinal] as number) + 1;
      return;
    }
    const parts: Uint8Array[] = [];
    for await (const part of deflateInTurns(this.#view.engine.codec, delta, deltaLevel, this.#work)) parts.push(part);
    const data = concatenate(parts);
    this.#take(data.length + deltaOverhead);
    this.found.set(ordinal, { size: delta.length, data });
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

  /** Reads an object and copies its body to a buffer. */
  async #copyOf(object: number, buffer: GrowingBuffer): Promise<Uint8Array> {
    const { body } = await this.#view.read(object);
    buffer.fit(body.length);
    buffer.bytes.set(body);
    return buffer.bytes.subarray(0, body.length);
  }

  #isSmall(object: number): boolean {
    const { objectStart, graph } = this.#view.set.packOfObject(object);
    const own = object - objectStart;
    return (graph.sizes[own] as number) <= sizeMax && readingMemory(graph, own, this.#work) <= usualReading;
  }

  /** The ordinal of an object in the made pack; -1 if it is not there. */
  #ordinal(object: number): number {
    const { objectStart, ordinals } = this.#plan;
    if (object === noObject || object < objectStart || object >= objectStart + ordinals.length) return -1;
    const ordinal = ordinals[object - objectStart] as number;
    return ordinal === noObject ? -1 : ordinal;
  }

  /** @throws {NotEnoughMemoryError} */
  #take(bytes: number): void {
    this.#taken += bytes;
    const most = Math.min(memoryMost, memoryShare * this.#view.engine.admission.requestMost);
    if (this.#taken > most) throw new NotEnoughMemoryError({ needed: this.#taken, limit: most, setting: 'memory_max' });
    while (this.#taken > this.#granted) {
      this.#memory.grow(memoryStep);
      this.#granted += memoryStep;
    }
  }
}
