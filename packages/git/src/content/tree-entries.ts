import { objectIdAt, type ObjectId } from '../object/object-id.ts';
import { TreeCursor } from '../object/tree.ts';
import { decodeLossy } from '../bytes/utf8.ts';

/** A tree entry for content reads (REPO-056). */
export interface TreeEntry {
  /** Malformed UTF-8 is replaced with U+FFFD. */
  readonly name: string;
  readonly mode: TreeMode;
  readonly hash: ObjectId;
  readonly type: TreeEntryType;
}

export type TreeMode = '40000' | '100644' | '100755' | '120000' | '160000';
export type TreeEntryType = 'tree' | 'blob' | 'exec' | 'symlink' | 'gitlink';

/** Normalised form of a tree mode, without historic variants, like Git's `canon_mode`. */
export interface EntryForm {
  readonly mode: TreeMode;
  readonly type: TreeEntryType;
}

const tree: EntryForm = { mode: '40000', type: 'tree' };
const blob: EntryForm = { mode: '100644', type: 'blob' };
const exec: EntryForm = { mode: '100755', type: 'exec' };
const symlink: EntryForm = { mode: '120000', type: 'symlink' };
const gitlink: EntryForm = { mode: '160000', type: 'gitlink' };

/**
 * Other types than folder, file and symbolic link count as a submodule. A file is executable if its owner may execute
 * it.
 */
export function formOfMode(mode: number): EntryForm {
  const type = mode & 0o170000;
  if (type === 0o040000) return tree;
  if (type === 0o120000) return symlink;
  if (type !== 0o100000) return gitlink;
  return (mode & 0o100) === 0 ? blob : exec;
}

/** Part of the entries of a tree. */
export interface TreePiece {
  readonly entries: readonly TreeEntry[];
  /** Offset in the body after the last entry. */
  readonly end: number;
}

/** Number of entries per piece. */
const pieceEntries = 512;

/**
 * Yields the entries of a stored tree in pieces, in its order (REPO-145).
 *
 * @throws {TreeError} if it does not parse, although it did when it was received (GIT-146).
 */
export function* treePieces(body: Uint8Array): Generator<TreePiece, void, undefined> {
  const cursor = new TreeCursor(body);
  for (let more = cursor.next(); more;) {
    const entries: TreeEntry[] = [];
    for (; more && entries.length < pieceEntries; more = cursor.next()) {
      const name = decodeLossy(body.subarray(cursor.nameStart, cursor.nameEnd));
      const { mode, type } = formOfMode(cursor.mode);
      entries.push({ name, mode, hash: objectIdAt(body, cursor.oidAt), type });
    }
    yield { entries, end: more ? cursor.nameStart : body.length };
  }
}
