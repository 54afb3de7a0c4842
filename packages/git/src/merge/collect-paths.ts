import type { ObjectSource } from '../diff/object-source.ts';
import type { ObjectId } from '../object/object-id.ts';
import { cost } from '../work/costs.ts';
import { inTurns } from '../work/loops.ts';
import { differingEntries, type Trees } from './differing-entries.ts';
import { inHashOrder } from './hash-order.ts';
import { MergeTooLargeError, type MergeLimits } from './merge-limits.ts';
import {
  isFolder,
  isSameVersion,
  oursSide,
  theirsSide,
  type PathInfo,
  type Side,
  type Version,
  type Versions,
} from './path-info.ts';
import { RenameCandidates } from './rename-candidates.ts';

/** Trees below each other, as `core.maxTreeDepth` of Git has it. */
const depthMax = 2048;

/** Work for one path, as a number of table entries. */
const entriesAPath = 1000;

/** Memory of one path, besides its name. */
const memoryAPath = 1400;

/** The paths at which three trees differ. */
export interface CollectedPaths {
  /** By path, folders included. */
  readonly paths: Map<string, PathInfo>;
  /** By folder: the tree of ours whose entries stay in the result, except for those in `paths`. */
  readonly kept: Map<string, ObjectId>;
  /** Paths that one side removed or added, for the detection of renames. */
  readonly candidates: RenameCandidates;
  /** Bytes that the merge holds for all of this. */
  memory: number;
}

/** A folder to open, or to leave alone. */
interface Folder {
  readonly path: string;
  readonly info: PathInfo;
  /** By side: the folder, or what is in its place. */
  readonly versions: Versions;
  /** The mask of {@link RenameCandidates.visit}. */
  readonly located: number;
  readonly depth: number;
}

/**
 * Finds the paths at which three trees differ. Opens only folders in which some side differs from another. Settles what
 * no rename can change: equal entries, files that one side alone changed, and folders that only a side without renames
 * changed.
 *
 * @throws {MergeTooLargeError}
 */
export async function collectPaths(objects: ObjectSource, trees: Trees, limits: MergeLimits): Promise<CollectedPaths> {
  const collector = new Collector(objects, limits);
  await collector.collectBelow('', trees, 0, 0);
  await collector.collectDeferred(oursSide);
  await collector.collectDeferred(theirsSide);
  return collector;
}

class Collector implements CollectedPaths {
  readonly paths = new Map<string, PathInfo>();
  readonly kept = new Map<string, ObjectId>();
  readonly candidates = new RenameCandidates();
  memory = 0;
  readonly #objects: ObjectSource;
  readonly #limits: MergeLimits;
  /** Folders that the side alone changed. Undefined: such folders are opened at once. */
  readonly #deferred: Record<Side, Map<string, Folder> | undefined> = { 1: new Map(), 2: new Map() };

  constructor(objects: ObjectSource, limits: MergeLimits) {
    this.#objects = objects;
    this.#limits = limits;
  }

  async collectBelow(folder: string, trees: Trees, located: number, depth: number): Promise<void> {
    if (depth > depthMax) throw new MergeTooLargeError('depth of trees', depthMax);
    const { differing, hasEqual } = await differingEntries(this.#objects, trees, this.#limits);
    if (hasEqual) this.kept.set(folder, trees[oursSide] as ObjectId);
    // A file that one side added to a folder that the other side removed makes its renames relevant.
    const isWatched = located === 2 || located === 4;
    const inside = isWatched && [...differing.values()].some((versions) => filesOf(versions) === located) ? 7 : located;
    for (const [name, versions] of differing) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const memory = memoryAPath + 4 * path.length;
      this.#limits.hold(memory);
      this.memory += memory;
      const below = this.#addPath(path, folder, versions, inside, depth + 1);
      if (this.#objects.work.spend(cost.entries, entriesAPath)) await this.#objects.work.yield();
      if (below !== undefined) await this.#open(below);
    }
  }

  /** Settles the folders that a side alone changed. Opens them if its renames count. */
  async collectDeferred(side: Side): Promise<void> {
    const deferred = this.#deferred[side] ?? new Map<string, Folder>();
    if (this.candidates.sides[side].relevance.size === 0) {
      for (const { info, versions } of deferred.values()) {
        info.isClean = true;
        info.result = versions[side];
      }
      return;
    }
    this.#deferred[side] = undefined;
    const paths = await inTurns(this.#objects.work, cost.entries, inHashOrder([...deferred.keys()]));
    for (const path of paths) await this.#open(deferred.get(path) as Folder);
  }

  async #open({ path, info, versions, located, depth }: Folder): Promise<void> {
    // What matches beside is the folder, and says nothing about the file.
    info.matching &= info.files;
    const trees = versions.map((version) => (isFolder(version) ? version?.oid : undefined));
    await this.collectBelow(path, trees, located, depth);
  }

  /** Adds the entries of one name. Returns a folder that must be opened at once. */
  #addPath(path: string, parent: string, versions: Versions, located: number, depth: number): Folder | undefined {
    const [base, ours, theirs] = versions;
    const oursMatches = isSameVersion(base, ours);
    const theirsMatches = isSameVersion(base, theirs);
    const sidesMatch = isSameVersion(ours, theirs);
    const files = filesOf(versions);
    const folders = maskOf(versions) & ~files;
    const matching = oursMatches ? (theirsMatches ? 7 : 3) : theirsMatches ? 5 : sidesMatch ? 6 : 0;
    const info: PathInfo = {
      versions: [0, 1, 2].map((side) => (files & (1 << side) ? versions[side] : undefined)) as Versions,
      names: [path, path, path],
      files,
      folders,
      matching,
      isBesideFolder: files !== 0 && folders !== 0,
      hasPathConflict: false,
      isClean: matching === 7 || (matching !== 0 && files === 7),
      result: undefined,
    };
    this.paths.set(path, info);
    if (info.isClean) {
      info.result = matching === 3 ? theirs : ours;
      return undefined;
    }
    const below = this.candidates.visit(path, parent, info, located);
    if (folders === 0) return undefined;
    const folder = { path, info, versions, located: below, depth };
    const isNew = files === 0 && (folders === 2 || folders === 4);
    const side =
      matching === 3 || (isNew && folders === 4) ? theirsSide : matching === 5 || isNew ? oursSide : undefined;
    const deferred = side === undefined || below === 7 ? undefined : this.#deferred[side];
    deferred?.set(path, folder);
    return deferred === undefined ? folder : undefined;
  }
}

function maskOf(versions: readonly (Version | undefined)[]): number {
  return versions.reduce((mask, version, side) => (version === undefined ? mask : mask | (1 << side)), 0);
}

function filesOf(versions: readonly (Version | undefined)[]): number {
  return maskOf(versions.map((version) => (isFolder(version) ? undefined : version)));
}
