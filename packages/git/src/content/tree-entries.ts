import { objectIdAt, type ObjectId } from '../object/object-id.ts';
import {
  canonicalMode,
  executableMode,
  fileMode,
  gitlinkMode,
  linkMode,
  TreeCursor,
  treeMode,
} from '../object/tree.ts';
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

const forms: ReadonlyMap<number, EntryForm> = new Map([
  [treeMode, { mode: '40000', type: 'tree' }],
  [fileMode, { mode: '100644', type: 'blob' }],
  [executableMode, { mode: '100755', type: 'exec' }],
  [linkMode, { mode: '120000', type: 'symlink' }],
  [gitlinkMode, { mode: '160000', type: 'gitlink' }],
]);

/** Returns the form of a mode; historic variants count like the modes that Git shows for them. */
export function formOfMode(mode: number): EntryForm {
  return forms.get(canonicalMode(mode)) as EntryForm;
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
