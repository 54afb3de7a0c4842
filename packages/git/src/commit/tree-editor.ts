import { toByteText } from '../bytes/byte-text.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { partsMax } from '../content/find-file.ts';
import type { Hold } from '../memory/holding.ts';
import { treeKind } from '../object/kind.ts';
import { objectIdAt, type ObjectId } from '../object/object-id.ts';
import { isTreeMode, TreeCursor } from '../object/tree.ts';
import { formatTree } from '../pack/format-tree.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import type { NewObjects } from './new-objects.ts';

const folderMode = 0o40000;

/** Bytes that a new folder takes, and the tree made of it. */
const memoryAFolder = 1024;

/** A file, symbolic link or submodule in a tree. */
export interface TreeFile {
  readonly mode: number;
  readonly oid: ObjectId;
}

/** A folder. Its entries are read when they are needed, so that a change opens only the trees on its paths. */
interface Folder {
  /** The stored tree, as long as nothing in it has changed. */
  stored: ObjectId | undefined;
  /** By name, as byte text. */
  entries: Map<string, TreeFile | Folder> | undefined;
}

/** The reason why a path cannot be changed. */
export type PathFault = 'missing' | 'is a folder' | 'is below a file' | 'exists';

/** Edits a tree of a commit by paths, in memory. A path is a list of names as {@link pathNames} makes them. */
export class TreeEditor {
  readonly #read: (tree: ObjectId) => Promise<Uint8Array>;
  readonly #work: Work;
  readonly #hold: Hold;
  readonly #root: Folder;

  /**
   * @param root undefined: begins with an empty tree.
   * @param read returns the body of a stored tree, valid until the next call.
   * @param hold receives the bytes of new folders.
   */
  constructor(root: ObjectId | undefined, read: (tree: ObjectId) => Promise<Uint8Array>, work: Work, hold: Hold) {
    this.#read = read;
    this.#work = work;
    this.#hold = hold;
    this.#root = { stored: root, entries: root === undefined ? new Map() : undefined };
  }

  /** Returns the file at a path; undefined if nothing or a folder is there. */
  async file(path: readonly string[]): Promise<TreeFile | undefined> {
    const found = await this.#find(path);
    return found !== undefined && 'oid' in found ? found : undefined;
  }

  /** Puts a file at a path, and makes the folders above it. Replaces a file, but no folder. */
  put(path: readonly string[], file: TreeFile): Promise<PathFault | undefined> {
    return this.#place(path, file, (there) => there === undefined || 'oid' in there);
  }

  /** Removes a file, or a folder with everything in it. Folders that become empty go, too. */
  async remove(path: readonly string[]): Promise<PathFault | undefined> {
    return (await this.#take(path)) === undefined ? 'missing' : undefined;
  }

  /** Moves a file or folder to a path where nothing is. */
  async move(from: readonly string[], path: readonly string[]): Promise<PathFault | undefined> {
    if ((await this.#find(path)) !== undefined) return 'exists';
    const moved = await this.#take(from);
    return moved === undefined ? 'missing' : this.#place(path, moved, () => true);
  }

  /** Adds all changed trees to `objects`. Returns the id of the root. */
  async write(objects: NewObjects): Promise<ObjectId> {
    return (await this.#written(this.#root, objects)) ?? (await objects.add(treeKind, new Uint8Array(0)));
  }

  async #find(path: readonly string[]): Promise<TreeFile | Folder | undefined> {
    let at: TreeFile | Folder | undefined = this.#root;
    for (const name of path) {
      if (at === undefined || 'oid' in at) return undefined;
      at = (await this.#entries(at)).get(name);
    }
    return at;
  }

  async #place(
    path: readonly string[],
    item: TreeFile | Folder,
    mayReplace: (there: TreeFile | Folder | undefined) => boolean,
  ): Promise<PathFault | undefined> {
    const above: Folder[] = [this.#root];
    for (const name of path.slice(0, -1)) {
      const entries = await this.#entries(above.at(-1) as Folder);
      let next = entries.get(name);
      if (next === undefined) {
        this.#hold(memoryAFolder + name.length);
        next = { stored: undefined, entries: new Map() };
        entries.set(name, next);
      }
      if ('oid' in next) return 'is below a file';
      above.push(next);
    }
    const entries = await this.#entries(above.at(-1) as Folder);
    const name = path.at(-1) as string;
    if (!mayReplace(entries.get(name))) return 'is a folder';
    entries.set(name, item);
    for (const folder of above) folder.stored = undefined;
    return undefined;
  }

  async #take(path: readonly string[]): Promise<TreeFile | Folder | undefined> {
    const above: Folder[] = [];
    let at: TreeFile | Folder | undefined = this.#root;
    for (const name of path) {
      if (at === undefined || 'oid' in at) return undefined;
      above.push(at);
      at = (await this.#entries(at)).get(name);
    }
    if (at === undefined) return undefined;
    (above.at(-1) as Folder).entries?.delete(path.at(-1) as string);
    for (const folder of above) folder.stored = undefined;
    return at;
  }

  async #entries(folder: Folder): Promise<Map<string, TreeFile | Folder>> {
    if (folder.entries !== undefined) return folder.entries;
    const body = await this.#read(folder.stored as ObjectId);
    const entries = new Map<string, TreeFile | Folder>();
    const cursor = new TreeCursor(body);
    while (cursor.next()) {
      const name = toByteText(body, cursor.nameStart, cursor.nameEnd);
      const oid = objectIdAt(body, cursor.oidAt);
      const { mode } = cursor;
      entries.set(name, isTreeMode(mode) ? { stored: oid, entries: undefined } : { mode, oid });
    }
    folder.entries = entries;
    if (this.#work.spend(cost.parsed, body.length)) await this.#work.yield();
    return entries;
  }

  /** Writes a folder and those in it. Undefined if it is empty. */
  async #written(folder: Folder, objects: NewObjects): Promise<ObjectId | undefined> {
    if (folder.stored !== undefined) return folder.stored;
    const written = new Map<string, TreeFile>();
    for (const [name, entry] of folder.entries ?? []) {
      if ('oid' in entry) written.set(name, entry);
      else {
        const oid = await this.#written(entry, objects);
        if (oid !== undefined) written.set(name, { mode: folderMode, oid });
      }
    }
    if (written.size === 0) return undefined;
    if (this.#work.spend(cost.entries, written.size * 6)) await this.#work.yield();
    return objects.add(treeKind, formatTree(written));
  }
}

/**
 * Returns the names of a path; undefined for a path that no tree may have (GIT-146): empty names, `.`, `..`, `.git` in
 * any case, and NUL. Undefined also for one of more than {@link partsMax} names, which Git would not read.
 */
export function pathNames(path: string): readonly string[] | undefined {
  if (!path.isWellFormed() || path.includes('\0')) return undefined;
  // A longer path is not split: it may have millions of names.
  const names = path.split('/', partsMax + 1);
  if (names.length > partsMax) return undefined;
  if (names.some((name) => name === '' || name === '.' || name === '..' || /^\.git$/i.test(name))) return undefined;
  return names.map((name) => toByteText(encodeUtf8(name)));
}
