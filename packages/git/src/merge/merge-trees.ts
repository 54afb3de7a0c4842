import type { ObjectId } from '../object/object-id.ts';
import { collectPaths } from './collect-paths.ts';
import type { MergeContext } from './merge-content.ts';
import { followRenames } from './follow-renames.ts';
import { resolvePaths, type ResolvedTree } from './resolve-paths.ts';
import { KeptNames } from './tree-entries.ts';

/** The result of a merge. */
export interface MergedTree extends ResolvedTree {
  /** Further conflicts, of which Git keeps no versions: paths that could not follow a renamed folder. */
  readonly misplaced: readonly string[];
}

/**
 * Merges two trees with a common base, as Git's ort does without a repository around it: attributes do not count.
 *
 * @param base id of a tree; undefined for the empty one, as for `theirs`.
 * @throws {MergeTooLargeError}
 * @throws {NotEnoughMemoryError}
 */
export async function mergeTrees(
  context: MergeContext,
  base: ObjectId | undefined,
  ours: ObjectId,
  theirs: ObjectId | undefined,
): Promise<MergedTree> {
  const { objects } = context;
  const { paths, kept, candidates, memory } = await collectPaths(objects, [base, ours, theirs], objects.limits);
  const names = new KeptNames(objects, kept);
  const misplaced = candidates.areRelevant ? await followRenames(context, paths, names, candidates) : [];
  const resolved = await resolvePaths(context, paths, kept, names);
  objects.limits.hold(-memory - names.memory);
  return { ...resolved, misplaced };
}
