import type { ObjectSource } from '../diff/object-source.ts';
import type { ObjectId } from '../object/object-id.ts';
import { cost } from '../work/costs.ts';
import { differingEntries, type Trees } from './differing-entries.ts';
import { MergeTooLargeError, type MergeLimits } from './merge-limits.ts';
import { isFolder, isSameVersion, oursSide, type PathInfo, type Version } from './path-info.ts';
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

/**
 * Finds the paths at which three trees differ. Opens only folders in which some side differs from another. Settles what
 * no rename can change: equal entries, and files that one side alone changed.
 *
 * @throws {MergeTooLargeError}
 */
export async function collectPaths(objects: ObjectSource, trees: Trees, limits: MergeLimits): Promise<CollectedPaths> {
  const collected: CollectedPaths = {
    paths: new Map(),
    kept: new Map(),
    candidates: new RenameCandidates(),
    memory: 0,
  };
  await collectFolder(objects, '', trees, 0, collected, limits, 0);
  return collected;
}

/** `located` is the mask of {@link RenameCandidates.visit}, for the folder. */
async function collectFolder(
  objects: ObjectSource,
  folder: string,
  trees: Trees,
  located: number,
  collected: CollectedPaths,
  limits: MergeLimits,
  depth: number,
): Promise<void> {
  if (depth > depthMax) throw new MergeTooLargeError('depth of trees', depthMax);
  const { differing, hasEqual } = await differingEntries(objects, trees, limits);
  if (hasEqual) collected.kept.set(folder, trees[oursSide] as ObjectId);
  // A file that one side added to a folder that the other side removed makes its renames relevant.
  const isWatched = located === 2 || located === 4;
  const inside = isWatched && [...differing.values()].some((versions) => filesOf(versions) === located) ? 7 : located;
  for (const [name, versions] of differing) {
    const path = folder === '' ? name : `${folder}/${name}`;
    const below = addPath(path, folder, versions, inside, collected);
    const memory = memoryAPath + 4 * path.length;
    limits.hold(memory);
    collected.memory += memory;
    if (objects.work.spend(cost.entries, entriesAPath)) await objects.work.yield();
    if (below === undefined) continue;
    const next = versions.map((version) => (isFolder(version) ? version?.oid : undefined));
    await collectFolder(objects, path, next, below, collected, limits, depth + 1);
  }
}

/** Adds the entries of one name. Returns the mask for its folder, if that must be opened. */
function addPath(
  path: string,
  folder: string,
  versions: readonly (Version | undefined)[],
  located: number,
  { paths, candidates }: CollectedPaths,
): number | undefined {
  const [base, ours, theirs] = versions;
  const oursMatches = isSameVersion(base, ours);
  const theirsMatches = isSameVersion(base, theirs);
  const sidesMatch = isSameVersion(ours, theirs);
  const files = filesOf(versions);
  const folders = maskOf(versions) & ~files;
  const matching = oursMatches ? (theirsMatches ? 7 : 3) : theirsMatches ? 5 : sidesMatch ? 6 : 0;
  const info: PathInfo = {
    versions: [0, 1, 2].map((side) => (files & (1 << side) ? versions[side] : undefined)) as PathInfo['versions'],
    names: [path, path, path],
    files,
    folders,
    matching,
    isBesideFolder: files !== 0 && folders !== 0,
    hasPathConflict: false,
    isClean: matching === 7 || (matching !== 0 && files === 7),
    result: undefined,
  };
  paths.set(path, info);
  if (info.isClean) {
    info.result = matching === 3 ? theirs : ours;
    return undefined;
  }
  const below = candidates.visit(path, folder, info, located);
  if (folders === 0) return undefined;
  // What matches beside is the folder, and says nothing about the file.
  info.matching &= files;
  return below;
}

function maskOf(versions: readonly (Version | undefined)[]): number {
  return versions.reduce((mask, version, side) => (version === undefined ? mask : mask | (1 << side)), 0);
}

function filesOf(versions: readonly (Version | undefined)[]): number {
  return maskOf(versions.map((version) => (isFolder(version) ? undefined : version)));
}
