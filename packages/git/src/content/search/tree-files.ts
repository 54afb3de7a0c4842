import { concatenate } from '../../bytes/concatenate.ts';
import { objectIdAt } from '../../object/object-id.ts';
import { isFileMode, isTreeMode, TreeCursor } from '../../object/tree.ts';
import { PackError } from '../../pack/pack-error.ts';
import type { RepositoryView } from '../../repository/repository-view.ts';
import { cost } from '../../work/costs.ts';

/** Maximum bytes of a path to search (LIM-038). */
export const pathMax = 2048;

/** A file of a tree, or an entry to leave out because its path is too long. */
export interface TreeFile {
  /** Number of the blob; {@link leftOut} for an entry to leave out. */
  readonly object: number;
  readonly folder: Folder;
  /** Place of its name in the tree of the folder. */
  readonly nameStart: number;
  readonly nameEnd: number;
}

export const leftOut = -1;

/** A folder that the walk is in, or has files of. */
interface Folder {
  /** Path with a slash at the end; empty for the root. */
  readonly path: Uint8Array;
  readonly cursor: TreeCursor;
  /** Bytes of its tree. */
  readonly size: number;
}

/** Reads a tree in full. The body stays as it is. */
export type ReadTree = (object: number) => Promise<Uint8Array>;

const slash = Uint8Array.of(47);

/** Walks the files of a tree in the order of their paths (REPO-295), without symbolic links and submodules. */
export class TreeFiles {
  readonly #view: RepositoryView;
  readonly #read: ReadTree;
  readonly #folders: Folder[] = [];
  #bytes = 0;
  #closedBytes = 0;
  #file: TreeFile | undefined;

  private constructor(view: RepositoryView, read: ReadTree) {
    this.#view = view;
    this.#read = read;
  }

  /**
   * Opens a walk over what is at a path of a tree; over the whole tree if the path has no parts.
   *
   * @param start parts of the path to begin at: those of `path`, or of an entry below it.
   * @returns undefined if there is nothing at a path.
   */
  static async open(
    view: RepositoryView,
    read: ReadTree,
    tree: number,
    path: readonly Uint8Array[],
    start: readonly Uint8Array[],
  ): Promise<TreeFiles | undefined> {
    const files = new TreeFiles(view, read);
    let folder = await files.#enter(new Uint8Array(0), tree);
    for (const [depth, part] of start.entries()) {
      const at = positionOf(folder.cursor, part);
      if (at < 0) return undefined;
      // Of a folder above the path, only the entry on the way counts.
      if (depth < path.length) folder.cursor.reset(folder.cursor.body.subarray(at, folder.cursor.position));
      else folder.cursor.seek(at);
      if (depth === start.length - 1) return files;
      folder.cursor.next();
      if (!isTreeMode(folder.cursor.mode)) return undefined;
      folder = await files.#enter(files.#entryPath(folder), files.#object(folder.cursor));
    }
    return files;
  }

  /** The file that the last step found. */
  get file(): TreeFile | undefined {
    return this.#file;
  }

  /** Bytes of the trees that the walk and its files hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The part of it for files of finished folders. */
  get closedBytes(): number {
    return this.#closedBytes;
  }

  /** Visits the next entry. Returns false at the end. */
  async step(): Promise<boolean> {
    this.#file = undefined;
    const folder = this.#current();
    if (folder === undefined) return false;
    const { cursor } = folder;
    cursor.next();
    const { mode, nameStart, nameEnd } = cursor;
    const isTree = isTreeMode(mode);
    if (!isTree && !isFileMode(mode)) return true;
    if (folder.path.length + nameEnd - nameStart > pathMax) {
      this.#file = { object: leftOut, folder, nameStart, nameEnd };
    } else if (isTree) {
      await this.#enter(this.#entryPath(folder), this.#object(cursor));
    } else {
      this.#file = { object: this.#object(cursor), folder, nameStart, nameEnd };
    }
    return true;
  }

  /** Returns the path of the entry that the next step visits; undefined at the end. */
  place(): Uint8Array | undefined {
    const folder = this.#current();
    if (folder === undefined) return undefined;
    const { body, position } = folder.cursor;
    const ahead = new TreeCursor(body);
    ahead.seek(position);
    ahead.next();
    return concatenate([folder.path, body.subarray(ahead.nameStart, ahead.nameEnd)]);
  }

  /** Releases the trees of finished folders, when the caller no longer has files of them. */
  forgetClosed(): void {
    this.#bytes -= this.#closedBytes;
    this.#closedBytes = 0;
  }

  /** Leaves finished folders. Returns the one with the next entry. */
  #current(): Folder | undefined {
    for (;;) {
      const folder = this.#folders.at(-1);
      if (folder === undefined || folder.cursor.position < folder.cursor.body.length) return folder;
      this.#folders.pop();
      this.#closedBytes += folder.size;
    }
  }

  async #enter(path: Uint8Array, tree: number): Promise<Folder> {
    const body = await this.#read(tree);
    if (this.#view.work.spend(cost.parsed, body.length)) await this.#view.work.yield();
    this.#bytes += body.length;
    const folder = { path, cursor: new TreeCursor(body), size: body.length };
    this.#folders.push(folder);
    return folder;
  }

  #entryPath({ path, cursor }: Folder): Uint8Array {
    return concatenate([path, cursor.body.subarray(cursor.nameStart, cursor.nameEnd), slash]);
  }

  #object({ body, oidAt }: TreeCursor): number {
    const object = this.#view.findObject(body, oidAt);
    if (object < 0) throw new PackError(`a stored tree names ${objectIdAt(body, oidAt)}, which is not stored`);
    return object;
  }
}

/** Returns the path of a file. */
export function pathOf({ folder, nameStart, nameEnd }: TreeFile): Uint8Array {
  return concatenate([folder.path, folder.cursor.body.subarray(nameStart, nameEnd)]);
}

/** Returns where the entry of a name begins, and moves the cursor behind it; -1 without one. */
function positionOf(cursor: TreeCursor, name: Uint8Array): number {
  for (let at = cursor.position; cursor.next(); at = cursor.position) {
    if (cursor.nameEnd - cursor.nameStart !== name.length) continue;
    let i = 0;
    while (i < name.length && cursor.body[cursor.nameStart + i] === name[i]) i++;
    if (i === name.length) return at;
  }
  return -1;
}
