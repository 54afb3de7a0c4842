import { fromByteText } from '../bytes/byte-text.ts';
import { decodeLossy } from '../bytes/utf8.ts';
import { percentOf, statusOf, type Change, type ChangeStatus } from '../diff/change.ts';
import { countChange } from '../diff/compare-contents.ts';
import type { DetectedRenames } from '../diff/detect-renames.ts';
import type { ObjectSource } from '../diff/object-source.ts';
import type { Hold } from '../memory/holding.ts';
import type { ObjectId } from '../object/object-id.ts';
import { formOfMode, type TreeMode } from './tree-entries.ts';

/** Maximum number of changed files in a list (LIM-030). */
const filesMax = 3000;

/** A changed file (REPO-272). */
export interface ChangedFile {
  /** Malformed UTF-8 is replaced with U+FFFD; for a deleted file its old path. */
  readonly path: string;
  /** Null unless the file was renamed. */
  readonly previous_path: string | null;
  readonly status: ChangeStatus;
  readonly old_mode: TreeMode | null;
  readonly new_mode: TreeMode | null;
  readonly old_hash: ObjectId | null;
  readonly new_hash: ObjectId | null;
  /** Percentage of a rename, else null. */
  readonly similarity: number | null;
  /** 0 for a binary file. */
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
}

/** The changed files between two trees. */
export interface ChangedFiles {
  /** In the order of their paths as bytes. */
  readonly files: readonly ChangedFile[];
  /** True if files are missing, since there are too many. */
  readonly truncated: boolean;
  /** True if edited renames may be missing, since there are too many candidates: they are shown as added and deleted. */
  readonly renames_limited: boolean;
}

/**
 * Counts the lines of the first changes.
 *
 * @throws {NotEnoughMemoryError}
 */
export async function changedFiles(
  objects: ObjectSource,
  { changes, isLimited }: DetectedRenames,
  hold: Hold,
): Promise<ChangedFiles> {
  const files: ChangedFile[] = [];
  for (const change of changes.slice(0, filesMax)) {
    files.push(changedFile(change, await countChange(objects, change, hold)));
  }
  return { files, truncated: files.length < changes.length, renames_limited: isLimited };
}

function changedFile(
  change: Change,
  { added, deleted, isBinary }: Awaited<ReturnType<typeof countChange>>,
): ChangedFile {
  const { old, new: to, score } = change;
  const path = (text = ''): string => decodeLossy(fromByteText(text));
  return {
    path: path((to ?? old)?.path),
    previous_path: score === undefined ? null : path(old?.path),
    status: statusOf(change),
    old_mode: old === undefined ? null : formOfMode(old.mode).mode,
    new_mode: to === undefined ? null : formOfMode(to.mode).mode,
    old_hash: old?.oid ?? null,
    new_hash: to?.oid ?? null,
    similarity: score === undefined ? null : percentOf(score),
    additions: added,
    deletions: deleted,
    binary: isBinary,
  };
}
