import { compareTrees } from '../diff/compare-trees.ts';
import { detectRenames } from '../diff/detect-renames.ts';
import { objectsOf } from '../diff/object-source.ts';
import { holding } from '../memory/holding.ts';
import type { ObjectId } from '../object/object-id.ts';
import { changedFiles, type ChangedFiles } from './changed-files.ts';
import type { Commit } from './commit-record.ts';
import type { ContentReader } from './content-reader.ts';
import { resolveRevision } from './resolve-revision.ts';

/** A commit with what it changes. */
export interface CommitWithChanges extends Commit {
  /** Changes from the first parent; of a commit without one, from the empty tree. */
  readonly changes: ChangedFiles;
}

/**
 * Reads a commit with what it changes (REPO-306). Takes over what the reader holds, and releases it.
 *
 * @returns undefined if there is no such commit.
 * @throws {NotEnoughMemoryError}
 */
export async function readCommitChanges(reader: ContentReader, oid: ObjectId): Promise<CommitWithChanges | undefined> {
  const { view, visibility, account, memoryMax, release } = reader.handOver();
  try {
    const commit = await reader.commit(oid);
    const node = commit && (await resolveRevision(view, visibility, oid));
    if (commit === undefined || node === undefined) return undefined;
    const { parentStarts, parents, nodeTrees } = view.set;
    const first = parentStarts[node] as number;
    const parent = first < (parentStarts[node + 1] as number) ? parents[first] : undefined;
    const objects = await objectsOf([view]);
    const hold = holding(account, memoryMax);
    const treeOf = (at: number): ObjectId => view.objectId(nodeTrees[at] as number);
    const found = await compareTrees(objects, parent === undefined ? undefined : treeOf(parent), treeOf(node), {
      hold,
    });
    const renames = await detectRenames(objects, found, { hold });
    return { ...commit, changes: await changedFiles(objects, renames, hold) };
  } finally {
    release();
  }
}
