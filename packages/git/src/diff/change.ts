import type { ObjectId } from '../object/object-id.ts';
import { isOtherType } from '../object/tree.ts';

/** A file, symbolic link or submodule at a path of a tree. */
export interface Version {
  /** Path from the root of the tree, as a byte text. */
  readonly path: string;
  /** Mode as Git shows it, such as `0o100644`. */
  readonly mode: number;
  readonly oid: ObjectId;
}

/** A difference between two trees at one path, or a rename. Never are both versions undefined. */
export interface Change {
  /** Undefined for an added path. */
  readonly old: Version | undefined;
  /** Undefined for a deleted path. */
  readonly new: Version | undefined;
  /** Similarity of a rename, 0 to {@link scoreMax}; absent unless the change is a rename. */
  readonly score?: number;
}

/** Score of a rename without any edit. */
export const scoreMax = 60_000;

export type ChangeStatus = 'added' | 'deleted' | 'modified' | 'renamed' | 'type_changed';

/** Returns the status that `git diff --raw` shows as A, D, M, R or T. */
export function statusOf(change: Change): ChangeStatus {
  if (change.old === undefined) return 'added';
  if (change.new === undefined) return 'deleted';
  if (change.score !== undefined) return 'renamed';
  return isOtherType(change.old.mode, change.new.mode) ? 'type_changed' : 'modified';
}

/** Returns the percentage that Git shows for a score. */
export function percentOf(score: number): number {
  return Math.floor((score * 100) / scoreMax);
}
