import { objectIdBytes } from './object-id.ts';
import { blobKind, treeKind, type KindNumber } from './kind.ts';

/** A tree body that does not parse. Trees of stored packs were checked (GIT-146), so there it means a broken store. */
export class TreeError extends Error {
  override readonly name = 'TreeError';
}

/**
 * Steps through the entries of a tree body without making an object for each: {@link TreeCursor.next} moves its
 * fields. Several cursors side by side compare trees. Historic modes (`040000`, `100664`) are as good as any.
 */
export class TreeCursor {
  /** The body being read. */
  body: Uint8Array = new Uint8Array(0);
  /** Mode of the entry, as the number that its octal digits stand for. */
  mode = 0;
  /** The name is `body[nameStart..nameEnd)`: any bytes but NUL. */
  nameStart = 0;
  nameEnd = 0;
  /** Offset of the 20 bytes of the id in `body`. */
  oidAt = 0;
  #next = 0;

  constructor(body?: Uint8Array) {
    if (body !== undefined) this.reset(body);
  }

  /** Starts with another body, before its first entry. */
  reset(body: Uint8Array): void {
    this.body = body;
    this.#next = 0;
  }

  /** Offset of the next entry; the length of the body after the last one. */
  get position(): number {
    return this.#next;
  }

  /** Moves to the start of an entry, which the caller knows. */
  seek(position: number): void {
    this.#next = position;
  }

  /**
   * Moves to the next entry; false after the last one.
   *
   * @throws {TreeError} if the entry cannot be read.
   */
  next(): boolean {
    const body = this.body;
    let at = this.#next;
    if (at >= body.length) return false;
    let mode = 0;
    const modeStart = at;
    for (; ; at++) {
      const digit = (body[at] as number) - 48;
      if (digit >= 0 && digit < 8) mode = (mode << 3) | digit;
      else break;
    }
    if (body[at] !== 32 || at === modeStart) throw new TreeError('mode of a tree entry does not parse');
    this.mode = mode >>> 0;
    this.nameStart = ++at;
    // Native search is only faster for long names; most names are short.
    const near = Math.min(at + 64, body.length);
    while (at < near && body[at] !== 0) at++;
    if (at === near && body[at] !== 0) at = body.indexOf(0, at);
    if (at < 0) throw new TreeError('tree entry is cut off');
    if (at === this.nameStart || at + objectIdBytes >= body.length) throw new TreeError('tree entry is cut off');
    this.nameEnd = at;
    this.oidAt = at + 1;
    this.#next = at + 1 + objectIdBytes;
    return true;
  }
}

/** Bits of a mode that contain the type of the entry. */
const typeMask = 0o170000;

/** Modes as Git shows them; entries may have historic variants (REPO-145). */
export const treeMode = 0o040000;
export const fileMode = 0o100644;
export const executableMode = 0o100755;
export const linkMode = 0o120000;
export const gitlinkMode = 0o160000;

/**
 * Returns the mode that Git shows for a mode, like its `canon_mode`: a file is executable if its owner may execute it,
 * and other types than folder, file and symbolic link count as a submodule.
 */
export function canonicalMode(mode: number): number {
  const type = mode & typeMask;
  if (type === treeMode || type === linkMode) return type;
  if (!isFileMode(mode)) return gitlinkMode;
  return (mode & 0o100) === 0 ? fileMode : executableMode;
}

/** Tests if a file or link at a path changes its type between these modes, as `T` of Git does. */
export function isOtherType(a: number, b: number): boolean {
  return ((a ^ b) & typeMask) !== 0;
}

/** Tests if the mode is that of a file, executable or not. */
export function isFileMode(mode: number): boolean {
  return (mode & typeMask) === 0o100000;
}

/** Tests if an entry of this mode is a folder. */
export function isTreeMode(mode: number): boolean {
  return (mode & typeMask) === 0o040000;
}

/**
 * Returns the kind of object for an entry mode; 0 for a link to a submodule's commit, which is never followed
 * (GIT-149). Like Git, treats other types than folder, file and symbolic link as a submodule.
 */
export function kindOfMode(mode: number): KindNumber | 0 {
  const type = mode & typeMask;
  if (type === 0o040000) return treeKind;
  return type === 0o100000 || type === 0o120000 ? blobKind : 0;
}
