import { emptyBlob, RenameFinder, RenameSide, unused } from '../diff/detect-renames.ts';
import { cost } from '../work/costs.ts';
import type { MergeObjects } from './merge-objects.ts';
import { MergeTooLargeError } from './merge-limits.ts';
import type { Candidate, SideCandidates } from './rename-candidates.ts';
import { folderOf, FolderMoves } from './folder-moves.ts';

/** The renames of one side of a merge. */
export interface SideRenames {
  /** By new path: the old one. */
  readonly renames: ReadonlyMap<string, string>;
  /** The new places of folders that the side removed. */
  readonly moves: FolderMoves;
}

/** Work to make a candidate ready for comparison, as a number of table entries. */
const entriesACandidate = 100;

/** Maximum number of pairs of paths that are compared by content on one side. */
const pairsMax = 4_000_000;

/** Pairs that Git compares at most (`merge.renameLimit`). Beyond that it looks for no further renames. */
const stockPairsMax = 7000 ** 2;

/**
 * Finds the renames of one side, in the steps of Git's ort: equal content, equal names, similar content. The last two
 * leave out paths whose way does not matter to the merge.
 *
 * @throws {MergeTooLargeError}
 */
export async function findRenames(objects: MergeObjects, side: SideCandidates): Promise<SideRenames> {
  const moves = new FolderMoves(side.removedFolders);
  const renames = new Map<string, string>();
  if (side.relevance.size === 0) return { renames, moves };
  const toSides = (candidates: readonly Candidate[]): RenameSide[] =>
    candidates.flatMap(({ path, version }) =>
      version.oid === emptyBlob ? [] : [new RenameSide(objects, { path, ...version })],
    );
  const [removed, targets] = [toSides(side.removed), toSides(side.added)];
  const entries = entriesACandidate * (removed.length + targets.length);
  if (objects.work.spend(cost.entries, entries)) await objects.work.yield();
  if (removed.length === 0 || targets.length === 0) return { renames, moves };
  const finder = new RenameFinder(objects, objects.limits.hold);
  /** Adds the pairs that the last step found. */
  const note = (): void => {
    for (const [{ path }, { from }] of finder.renames) {
      if (renames.has(path)) continue;
      renames.set(path, from.version.path);
      moves.count(from.version.path, path);
    }
  };
  try {
    await finder.findEqual(removed, targets);
    note();
    const byPath = new Map(unused(targets).map((target) => [target.version.path, target]));
    const best = moves.guesses();
    const relevant = unused(removed).filter(({ version }) => side.relevance.has(version.path));
    await finder.findSameNames(relevant, unused(targets), ({ version, name }) => {
      const folder = best.get(folderOf(version.path));
      return folder === undefined ? undefined : byPath.get(`${folder}/${name}`);
    });
    note();
    const left = unused(relevant);
    const needed = moves.stillNeeded(
      left.map(({ version }) => version.path),
      side.relevance,
    );
    const sources = left.filter(({ version }) => needed.has(version.path));
    const open = unused(targets);
    const pairs = sources.length * open.length;
    if (pairs > 0 && pairs <= stockPairsMax) {
      if (pairs > pairsMax) throw new MergeTooLargeError('number of possible renames', pairsMax);
      await finder.findSimilar(sources, open);
      note();
    }
  } finally {
    finder.release();
  }
  moves.finish();
  return { renames, moves };
}
