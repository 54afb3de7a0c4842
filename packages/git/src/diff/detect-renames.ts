import type { ObjectId } from '../object/object-id.ts';
import { isFileMode } from '../object/tree.ts';
import { cost } from '../work/costs.ts';
import { inTurns } from '../work/loops.ts';
import { scoreMax, type Change, type Version } from './change.ts';
import { comparedFileMax } from './file-content.ts';
import { commonBytes, fingerprintMemory, fingerprintOf, type Fingerprint } from './fingerprint.ts';
import { BestSources } from './best-sources.ts';
import type { ObjectSource } from './object-source.ts';

export interface RenameOptions {
  /**
   * Inexact renames are only looked for if deleted times added paths, those of exact renames left out, do not exceed the
   * square of this number (`diff.renameLimit`). Default: 1,000.
   */
  readonly renameLimit?: number;
  /** False leaves empty files alone, as merges do. Default: true. */
  readonly renamesEmpty?: boolean;
  /** Receives bytes that the detection holds from now on, or no longer if negative. It may throw to end it. */
  readonly hold?: (bytes: number) => void;
}

/** Changes with the renames among them. */
export interface DetectedRenames {
  /** In the order of paths, a rename by its new path. */
  readonly changes: Change[];
  /** True if the limit kept inexact renames from being looked for, or some of them for lack of memory. */
  readonly isLimited: boolean;
}

/** Score from which Git takes a pair for a rename: 50 %. */
const scoreMin = scoreMax / 2;
/** The same for a pair that is only compared since its names are equal and unique: 75 %. */
const sameNameMin = scoreMin + (scoreMax - scoreMin) / 2;
/** Sources of equal content that are looked at for one path. */
const equalSourcesMax = 101;
/** Bytes of fingerprints that are kept at most; further sources are not compared. */
const fingerprintsMax = 64 * 1024 * 1024;

export const emptyBlob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/** A path that was added or deleted. */
export class RenameSide {
  readonly version: Version;
  readonly name: string;
  readonly size: number;
  fingerprint: Fingerprint | undefined;
  isUsed = false;

  constructor(objects: ObjectSource, version: Version) {
    this.version = version;
    this.name = version.path.slice(version.path.lastIndexOf('/') + 1);
    this.size = isFileMode(version.mode) ? objects.sizeOf(version.oid) : 0;
  }
}

/** A source with the similarity of its target, 0 to {@link scoreMax}. */
export interface Rename {
  readonly from: RenameSide;
  readonly score: number;
}

/**
 * Pairs deleted with added paths like `git diff -M`: first those of equal content, then those whose names are unique and
 * equal, then by similarity, best pairs first.
 *
 * @param changes in the order of {@link compareTrees}.
 * @throws {NotEnoughMemoryError}
 */
export async function detectRenames(
  objects: ObjectSource,
  changes: readonly Change[],
  { renameLimit = 1000, renamesEmpty = true, hold = () => undefined }: RenameOptions = {},
): Promise<DetectedRenames> {
  const mayMove = (version: Version | undefined, other: Version | undefined): version is Version =>
    version !== undefined && other === undefined && (renamesEmpty || version.oid !== emptyBlob);
  const sources = changes.flatMap(({ old, new: to }) => (mayMove(old, to) ? new RenameSide(objects, old) : []));
  const targets = changes.flatMap(({ old, new: to }) => (mayMove(to, old) ? new RenameSide(objects, to) : []));
  const finder = new RenameFinder(objects, hold);
  let isLimited = false;
  if (sources.length > 0 && targets.length > 0) {
    await finder.findEqual(sources, targets);
    await finder.findSameNames(unused(sources), unused(targets));
    const [leftSources, leftTargets] = [unused(sources), unused(targets)];
    isLimited = leftSources.length * leftTargets.length > renameLimit ** 2;
    if (!isLimited && leftSources.length > 0) await finder.findSimilar(leftSources, leftTargets);
  }
  finder.release();
  return { changes: joined(changes, finder.renames), isLimited: isLimited || finder.isShort };
}

/** The sides that no pair has yet. */
export function unused(sides: readonly RenameSide[]): RenameSide[] {
  return sides.filter(({ isUsed }) => !isUsed);
}

/** Puts each rename in the place of its added path, and drops its deleted path. */
function joined(changes: readonly Change[], renames: ReadonlyMap<Version, Rename>): Change[] {
  const moved = new Set([...renames.values()].map(({ from }) => from.version));
  return changes.flatMap((change) => {
    if (change.old !== undefined && moved.has(change.old)) return [];
    const rename = change.new && renames.get(change.new);
    return rename === undefined ? [change] : [{ old: rename.from.version, new: change.new, score: rename.score }];
  });
}

/** Pairs deleted with added paths in steps. A pair that one step finds is left out of later ones. */
export class RenameFinder {
  /** By the added path. */
  readonly renames: Map<Version, Rename> = new Map();
  /** True once a path was not compared, since fingerprints take too much memory. */
  isShort = false;
  readonly #objects: ObjectSource;
  readonly #hold: (bytes: number) => void;
  #held = 0;

  constructor(objects: ObjectSource, hold: (bytes: number) => void) {
    this.#objects = objects;
    this.#hold = hold;
  }

  release(): void {
    this.#hold(-this.#held);
    this.#held = 0;
  }

  /** Pairs paths of equal content. Prefers an unused source with the same name. */
  async findEqual(sources: readonly RenameSide[], targets: readonly RenameSide[]): Promise<void> {
    const byId = new Map<ObjectId, Set<RenameSide>>();
    for (const source of sources) {
      const { oid } = source.version;
      byId.set(oid, (byId.get(oid) ?? new Set()).add(source));
    }
    for (const target of targets) {
      const left = byId.get(target.version.oid);
      let best: RenameSide | undefined;
      let [seen, looked] = [0, 0];
      for (const source of left ?? []) {
        looked++;
        if (!haveEqualTypes(source, target)) continue;
        if (best === undefined || source.name === target.name) best = source;
        if (best.name === target.name || seen++ >= equalSourcesMax) break;
      }
      await this.#spend(cost.entries, 8 + 4 * looked);
      if (best === undefined) continue;
      this.#use(best, target, scoreMax);
      left?.delete(best);
    }
  }

  /**
   * Compares paths whose last part only one source and only one target has. `guess` returns the target for a source whose
   * name is more frequent; default: none.
   */
  async findSameNames(
    sources: readonly RenameSide[],
    targets: readonly RenameSide[],
    guess: (source: RenameSide) => RenameSide | undefined = () => undefined,
  ): Promise<void> {
    const sourcesOf = Map.groupBy(sources, ({ name }) => name);
    const targetsOf = Map.groupBy(targets, ({ name }) => name);
    for (const source of sources) {
      const same = targetsOf.get(source.name);
      if (same === undefined) continue;
      const isUnique = same.length === 1 && sourcesOf.get(source.name)?.length === 1;
      const target = isUnique ? same[0] : guess(source);
      if (target === undefined || target.isUsed) continue;
      const score = await this.#score(source, target);
      source.fingerprint = target.fingerprint = undefined;
      this.release();
      if (score >= sameNameMin) this.#use(source, target, score);
    }
  }

  async findSimilar(sources: readonly RenameSide[], targets: readonly RenameSide[]): Promise<void> {
    const best = new BestSources();
    for (const [to, target] of targets.entries()) {
      best.begin(to);
      for (const [from, source] of sources.entries()) {
        const scoring = this.#score(source, target);
        best.offer(from, typeof scoring === 'number' ? scoring : await scoring, source.name === target.name);
      }
      await this.#spend(cost.entries, 8 * sources.length);
      if (target.fingerprint !== undefined) this.#let(target.fingerprint);
      target.fingerprint = undefined;
    }
    for (const { from, to, score } of best.sorted()) {
      if (score < scoreMin) break;
      const [source, target] = [sources[from] as RenameSide, targets[to] as RenameSide];
      if (!source.isUsed && !target.isUsed) this.#use(source, target, score);
    }
  }

  #use(source: RenameSide, target: RenameSide, score: number): void {
    source.isUsed = target.isUsed = true;
    this.renames.set(target.version, { from: source, score });
  }

  /** Similarity of two files; 0 where their sizes already exclude a rename. */
  #score(source: RenameSide, target: RenameSide): number | Promise<number> {
    if (!isFileMode(source.version.mode) || !isFileMode(target.version.mode)) return 0;
    const largest = Math.max(source.size, target.size);
    const difference = largest - Math.min(source.size, target.size);
    if (largest * (scoreMax - scoreMin) < difference * scoreMax) return 0;
    if (target.size === 0 || largest > comparedFileMax) return 0;
    const [a, b] = [source.fingerprint, target.fingerprint];
    return a === undefined || b === undefined
      ? this.#estimate(source, target, largest)
      : this.#similarity(a, b, largest);
  }

  async #estimate(source: RenameSide, target: RenameSide, largest: number): Promise<number> {
    const [a, b] = [await this.#fingerprint(source), await this.#fingerprint(target)];
    return a === undefined || b === undefined ? 0 : this.#similarity(a, b, largest);
  }

  /** Returns at once if no other request has to run: there are many pairs. */
  #similarity(a: Fingerprint, b: Fingerprint, largest: number): number | Promise<number> {
    const { work } = this.#objects;
    const score = Math.floor((commonBytes(a, b) * scoreMax) / largest);
    return work.spend(cost.entries, a.hashes.length + b.hashes.length) ? work.yield().then(() => score) : score;
  }

  async #fingerprint(side: RenameSide): Promise<Fingerprint | undefined> {
    if (side.fingerprint !== undefined) return side.fingerprint;
    if (this.#held > fingerprintsMax) {
      this.isShort = true;
      return undefined;
    }
    const { body } = await this.#objects.read(side.version.oid);
    const made = await inTurns(this.#objects.work, cost.parsed, fingerprintOf(body));
    const bytes = fingerprintMemory(made);
    this.#hold(bytes);
    this.#held += bytes;
    return (side.fingerprint = made);
  }

  #let(fingerprint: Fingerprint): void {
    const bytes = fingerprintMemory(fingerprint);
    this.#hold(-bytes);
    this.#held -= bytes;
  }

  async #spend(kind: typeof cost.entries, amount: number): Promise<void> {
    if (this.#objects.work.spend(kind, amount)) await this.#objects.work.yield();
  }
}

/** Only files may have other modes than what they were. */
function haveEqualTypes({ version: a }: RenameSide, { version: b }: RenameSide): boolean {
  return a.mode === b.mode || (isFileMode(a.mode) && isFileMode(b.mode));
}
