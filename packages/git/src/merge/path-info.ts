import type { ObjectId } from '../object/object-id.ts';
import { canonicalMode, isTreeMode, type TreeCursor } from '../object/tree.ts';
import { objectIdAt } from '../object/object-id.ts';

/** An entry of a tree: a file, link, submodule or folder. */
export interface Version {
  /** Mode as Git shows it, such as `0o100644`. */
  readonly mode: number;
  readonly oid: ObjectId;
}

/** Numbers of the three trees, as indexes of {@link PathInfo.versions}. */
export const baseSide = 0;
export const oursSide = 1;
export const theirsSide = 2;
export type Side = typeof oursSide | typeof theirsSide;

export type Versions = [base: Version | undefined, ours: Version | undefined, theirs: Version | undefined];

/** A path at which the three trees differ, and what becomes of it. Sets of sides are masks: bit n stands for side n. */
export interface PathInfo {
  /** Files, links and submodules. Renames move versions here from other paths. */
  versions: Versions;
  /** Path of each version; they differ after renames. */
  readonly names: [base: string, ours: string, theirs: string];
  /** Sides with a version. */
  files: number;
  /** Sides with a folder at the path. */
  folders: number;
  /** Two sides that have the same there: 3, 5 or 6; 0 for none. */
  matching: number;
  /** A file on one side is in the way of a folder on another. */
  isBesideFolder: boolean;
  /** The path itself is in conflict, independently of the content. */
  hasPathConflict: boolean;
  /** True if nothing is left to decide but `result`. */
  isClean: boolean;
  result: Version | undefined;
}

/** Returns the entry at a cursor. */
export function versionAt({ body, mode, oidAt }: TreeCursor): Version {
  return { mode: canonicalMode(mode), oid: objectIdAt(body, oidAt) };
}

export function isSameVersion(a: Version | undefined, b: Version | undefined): boolean {
  return a !== undefined && b !== undefined && a.oid === b.oid && a.mode === b.mode;
}

export function isFolder(version: Version | undefined): boolean {
  return version !== undefined && isTreeMode(version.mode);
}
