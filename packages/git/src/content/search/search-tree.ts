import { decodeLossy } from '../../bytes/utf8.ts';
import { noObject } from '../../graph/pack-graph.ts';
import type { SetPack } from '../../graph/set-pack.ts';
import type { RequestAccount } from '../../memory/request-account.ts';
import type { ObjectId } from '../../object/object-id.ts';
import { PackError } from '../../pack/pack-error.ts';
import type { RepositoryView } from '../../repository/repository-view.ts';
import type { LinePattern } from './line-pattern.ts';
import { countLineFeeds, isBinary, passLines, searchStep } from './matching-lines.ts';
import { SearchedObjects } from './searched-objects.ts';
import { showLine, type ShownLine } from './shown-line.ts';
import { leftOut, pathOf, TreeFiles, type TreeFile } from './tree-files.ts';

const mebibyte = 1024 * 1024;

/** Bytes of files that one request searches (LIM-037). */
const searchedMax = 64 * mebibyte;
/** Units of work of one request: some seconds (LIM-037). */
const unitsMax = 5e9;
/** Bytes of the paths and texts of a page (LIM-037). */
const pageMax = mebibyte;

/** The first batch is small, since many searches end there. Each one after it is this many times as large. */
const firstBatch = mebibyte;
const batchGrowth = 8;
const batchFiles = 32 * 1024;
/** Bytes of the trees of a batch, with those that the walk is in. */
const batchTrees = 4 * mebibyte;
/** Memory for a page and the files of a batch, in addition to its trees. */
const batchMemory = 10 * mebibyte;

/** A place in a search: the path to go on at, and the number of its lines that are done. */
export interface SearchPlace {
  readonly path: Uint8Array;
  readonly line: number;
}

/** A line with a match (REPO-294). */
export interface FoundLine extends ShownLine {
  /** Bytes that are not UTF-8 are replaced with U+FFFD. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** Part of the results of a search. */
export interface SearchPage {
  readonly commit: ObjectId;
  /** Sorted by path and line. */
  readonly lines: readonly FoundLine[];
  /** Number of files and folders that were left out (LIM-038). */
  readonly skipped: number;
  /** Start of the next page; undefined if nothing remains. */
  readonly next: SearchPlace | undefined;
}

/** A search for a pattern, and its bounds. */
export interface TreeSearch {
  readonly pattern: LinePattern;
  /** Maximum number of lines. */
  readonly limit: number;
  /** Start of the page. Default: the first file. */
  readonly from?: SearchPlace | undefined;
  /** Tests if the page should end now. */
  readonly isLate: () => boolean;
}

/**
 * Searches the files of a commit's tree (REPO-295), as far as one page goes. Files are read in the order of their packs
 * to find the few with a match, which is fast. These are read again in the order of their paths.
 *
 * @param path parts of the path of a folder or file; empty for everything.
 * @param start parts of the path to begin at: those of `path`, or of `from` of the search.
 * @returns undefined if there is nothing at a path.
 * @throws {NotEnoughMemoryError}
 */
export async function searchTree(
  view: RepositoryView,
  account: RequestAccount,
  commitNode: number,
  path: readonly Uint8Array[],
  start: readonly Uint8Array[],
  search: TreeSearch,
): Promise<SearchPage | undefined> {
  await account.planMore(batchMemory + batchTrees + search.pattern.memory);
  await view.loadIndexes();
  const { set } = view;
  const tree = set.nodeTrees[commitNode] as number;
  if (tree === noObject) throw new PackError('a stored commit has no tree in its graph');
  const objects = new SearchedObjects(view, account);
  const files = await TreeFiles.open(view, (object) => objects.tree(object), tree, path, start);
  if (files === undefined) return undefined;
  const page = new Page(view, account, objects, files, search);
  const next = await page.fill();
  const commit = view.objectId(set.nodeObjects[commitNode] as number);
  return { commit, lines: page.lines, skipped: page.skipped, next };
}

class Page {
  readonly lines: FoundLine[] = [];
  skipped = 0;
  readonly #view: RepositoryView;
  readonly #account: RequestAccount;
  readonly #objects: SearchedObjects;
  readonly #files: TreeFiles;
  readonly #search: TreeSearch;
  readonly #startUnits: number;
  #bytes = 0;
  #bytesLeft = searchedMax;
  #treeBytes = batchTrees;

  constructor(
    view: RepositoryView,
    account: RequestAccount,
    objects: SearchedObjects,
    files: TreeFiles,
    search: TreeSearch,
  ) {
    this.#view = view;
    this.#account = account;
    this.#objects = objects;
    this.#files = files;
    this.#search = search;
    this.#startUnits = view.work.units;
  }

  /** Searches up to the end of the page. Returns where the next one begins. */
  async fill(): Promise<SearchPlace | undefined> {
    let passed = this.#search.from?.line ?? 0;
    for (let size = firstBatch; ; size *= batchGrowth) {
      const batch = await this.#nextBatch(Math.min(size, this.#bytesLeft));
      const next = await this.#searchBatch(batch, passed);
      if (next !== undefined) return next;
      if (batch.length > 0) passed = 0;
      this.#files.forgetClosed();
      const path = this.#files.place();
      if (path === undefined) return undefined;
      if (this.#bytesLeft <= 0 || this.#isSpent()) return { path, line: passed };
    }
  }

  /** Takes files of so many bytes from the walk, and at least one step of it. */
  async #nextBatch(bytes: number): Promise<readonly TreeFile[]> {
    const batch: TreeFile[] = [];
    const end = this.#bytesLeft - bytes;
    while (await this.#files.step()) {
      const { file, bytes: trees } = this.#files;
      if (trees > this.#treeBytes) {
        await this.#account.planMore(trees - this.#treeBytes);
        this.#treeBytes = trees;
      }
      if (file !== undefined) {
        batch.push(file);
        if (file.object !== leftOut) this.#bytesLeft -= this.#view.set.size(file.object);
      }
      const isFull = this.#bytesLeft <= end || batch.length >= batchFiles || this.#files.closedBytes > batchTrees;
      if (isFull || this.#isSpent()) break;
    }
    return batch;
  }

  /** Adds the lines of a batch to the page. Returns where the next page begins if this one ends here. */
  async #searchBatch(batch: readonly TreeFile[], passed: number): Promise<SearchPlace | undefined> {
    const found = await this.#filesWithMatch(batch);
    for (const [i, file] of batch.entries()) {
      if (file.object === leftOut || this.#objects.isTooLarge(file.object)) {
        this.skipped++;
        continue;
      }
      const hasMatch = found.get(file.object);
      if (hasMatch === false) continue;
      // The work was spent before this file had its turn. A page gets at least through a part of its first file.
      if (hasMatch === undefined && i > 0) return { path: pathOf(file), line: 0 };
      const next = await this.#addLines(file, i === 0 ? passed : 0);
      if (next !== undefined) return next;
    }
    return undefined;
  }

  /** Tells which files of a batch have a match, by object. One that it does not know was not read to its end. */
  async #filesWithMatch(batch: readonly TreeFile[]): Promise<ReadonlyMap<number, boolean>> {
    const { set } = this.#view;
    const objects = [...new Set(batch.map(({ object }) => object))];
    const sorted = objects.filter((object) => object !== leftOut && !this.#objects.isTooLarge(object));
    sorted.sort((a, b) => a - b);
    const packs = [...new Set(sorted.map((object) => set.packOfObject(object)))];
    const found = new Map<number, boolean>();
    for (const object of sorted) {
      if (this.#isSpent()) break;
      if (packs[0] === set.packOfObject(object)) {
        const pack = packs.shift() as SetPack;
        await this.#view.readRows(
          pack,
          packs.map(({ record }) => record),
        );
      }
      const hasMatch = await this.#hasMatch(object);
      if (hasMatch !== undefined) found.set(object, hasMatch);
    }
    return found;
  }

  /** Tests if a file has a match; undefined if the work is spent before its end. */
  async #hasMatch(object: number): Promise<boolean | undefined> {
    const text = await this.#objects.file(object);
    if (isBinary(text)) return false;
    for (let at = 0; at < text.length;) {
      const { match, next } = await searchStep(this.#view.work, this.#search.pattern, text, at);
      if (match !== undefined) return true;
      at = next;
      if (at < text.length && this.#isSpent()) return undefined;
    }
    return false;
  }

  /** Adds the lines of a file behind the first `passed`. Returns where the next page begins if this one ends here. */
  async #addLines(file: TreeFile, passed: number): Promise<SearchPlace | undefined> {
    const text = await this.#objects.file(file.object);
    if (isBinary(text)) return undefined;
    const path = pathOf(file);
    const shownPath = decodeLossy(path);
    let line = passed + 1;
    for (let at = passLines(text, passed); at < text.length;) {
      const { match, next } = await searchStep(this.#view.work, this.#search.pattern, text, at);
      if (match !== undefined) {
        line += countLineFeeds(text, at, match.start);
        if (this.lines.length >= this.#search.limit || this.#bytes >= pageMax) return { path, line: line - 1 };
        const shown = showLine(text, match);
        this.lines.push({ path: shownPath, line, ...shown });
        this.#bytes += path.length + shown.text.length;
        line++;
      } else {
        line += countLineFeeds(text, at, next);
      }
      at = next;
      if (at < text.length && this.#isSpent()) return { path, line: line - 1 };
    }
    return undefined;
  }

  #isSpent(): boolean {
    return this.#view.work.units - this.#startUnits > unitsMax || this.#search.isLate();
  }
}
