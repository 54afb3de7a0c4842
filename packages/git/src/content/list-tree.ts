import { entriesABytes, entriesALookUp } from '../graph/snapshot-walk.ts';
import { decodeLossy } from '../bytes/utf8.ts';
import { objectIdAt } from '../object/object-id.ts';
import { TreeCursor } from '../object/tree.ts';
import { PackError } from '../pack/pack-error.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import { partsMax } from './find-file.ts';
import type { HeldMemory } from './held-memory.ts';
import { shownMemory } from './shown-memory.ts';
import { formOfMode, type TreeEntry } from './tree-entries.ts';

/** An entry below a folder (REPO-262). */
export interface ListedEntry extends TreeEntry {
  /** Path from the root of the revision. Malformed UTF-8 is replaced with U+FFFD. */
  readonly path: string;
  /** Size in bytes of a file or symbolic link; null for others. */
  readonly size: number | null;
}

/** The requested part of a listing. */
export interface ListingRange {
  /** Folders below each other that are listed; 1 lists the folder alone. */
  readonly depth: number;
  /** Maximum number of entries. */
  readonly limit: number;
  /** Start of the page: {@link TreePage.next} of the page before. Default: the first entry. */
  readonly from?: readonly number[];
}

export interface TreePage {
  /** In Git's order, each folder before what it holds. */
  readonly entries: readonly ListedEntry[];
  /**
   * Start of the next page: by folder, from the listed one inwards, the number of the entry in it. Undefined on the
   * last page.
   */
  readonly next: readonly number[] | undefined;
}

/** The folder to list. */
export interface ListedFolder {
  /** Number of its tree in the graph of the view. */
  readonly tree: number;
  /** Its path from the root, with a slash behind it; empty for the root. */
  readonly prefix: string;
}

/** Bytes of rows after which a page ends early. */
const rowBytesMax = 4 * 1024 * 1024;

/** A tree on the way to the current entry. */
interface OpenTree {
  readonly prefix: string;
  readonly cursor: TreeCursor;
  /** Number of entries that were passed. */
  passed: number;
}

/**
 * Lists what is below a folder, as `git ls-tree -r -t` does. Opens the trees of the entries of the page, and those on the
 * way to its first one. Returns undefined if `from` is no place in this folder.
 */
export async function listTree(
  view: RepositoryView,
  memory: HeldMemory,
  folder: ListedFolder,
  { depth, limit, from = [0] }: ListingRange,
): Promise<TreePage | undefined> {
  await view.loadIndexes();
  const open: OpenTree[] = [];
  const enter = async (tree: number, prefix: string): Promise<void> => {
    await memory.add(view.set.size(tree));
    // The body is valid until the next read.
    open.push({ prefix, cursor: new TreeCursor((await view.read(tree)).body.slice()), passed: 0 });
  };
  const depthMax = Math.min(depth, partsMax);
  if (from.length > depthMax) return undefined;
  await enter(folder.tree, folder.prefix);
  for (const [level, place] of from.entries()) {
    const tree = open.at(-1) as OpenTree;
    while (tree.passed < place) if (!(await next(view, tree))) return undefined;
    if (level === from.length - 1) break;
    if (!(await next(view, tree)) || typeOf(tree) !== 'tree') return undefined;
    await enter(objectOf(view, tree), `${tree.prefix}${nameOf(tree)}/`);
  }
  const entries: ListedEntry[] = [];
  let bytes = 0;
  for (let tree = open.at(-1); tree !== undefined; tree = open.at(-1)) {
    if (isAtEnd(tree)) {
      memory.drop(tree.cursor.body.length);
      open.pop();
      continue;
    }
    if (entries.length === limit || bytes >= rowBytesMax) return { entries, next: placeOf(open) };
    await next(view, tree);
    const entry = entryAt(view, tree);
    // A name comes twice, in a row and within the path.
    const needed = shownMemory(2 * entry.path.length);
    await memory.add(needed);
    bytes += needed;
    entries.push(entry);
    if (entry.type === 'tree' && open.length < depthMax) await enter(objectOf(view, tree), `${entry.path}/`);
  }
  return { entries, next: undefined };
}

async function next({ set, work }: RepositoryView, tree: OpenTree): Promise<boolean> {
  const start = tree.cursor.position;
  if (!tree.cursor.next()) return false;
  tree.passed++;
  const entries = entriesABytes(tree.cursor.position - start) + entriesALookUp(set);
  if (work.spend(cost.entries, entries)) await work.yield();
  return true;
}

function isAtEnd({ cursor }: OpenTree): boolean {
  return cursor.position >= cursor.body.length;
}

/** In a tree that was entered, the last entry that was passed is the one that was entered. */
function placeOf(open: readonly OpenTree[]): readonly number[] {
  return open.map(({ passed }, level) => (level < open.length - 1 ? passed - 1 : passed));
}

function entryAt(view: RepositoryView, tree: OpenTree): ListedEntry {
  const { mode, type } = formOfMode(tree.cursor.mode);
  const name = nameOf(tree);
  const hash = objectIdAt(tree.cursor.body, tree.cursor.oidAt);
  const hasSize = type !== 'tree' && type !== 'gitlink';
  const size = hasSize ? view.set.size(objectOf(view, tree)) : null;
  return { name, mode, hash, type, path: `${tree.prefix}${name}`, size };
}

function typeOf({ cursor }: OpenTree): TreeEntry['type'] {
  return formOfMode(cursor.mode).type;
}

function nameOf({ cursor }: OpenTree): string {
  return decodeLossy(cursor.body.subarray(cursor.nameStart, cursor.nameEnd));
}

function objectOf(view: RepositoryView, { cursor }: OpenTree): number {
  const object = view.findObject(cursor.body, cursor.oidAt);
  if (object < 0)
    throw new PackError(`a stored tree names ${objectIdAt(cursor.body, cursor.oidAt)}, which is not stored`);
  return object;
}
