import { decodeLossy } from '../bytes/utf8.ts';
import { cost } from '../work/costs.ts';
import { inTurns } from '../work/loops.ts';
import type { RequestWork } from '../work/scheduler.ts';
import { blobKind, commitKind, kindName, treeKind, type ObjectKind } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import type { PackLease } from '../engine/leases.ts';
import { readingMemory } from '../memory/reading-memory.ts';
import { RepositoryView } from '../repository/repository-view.ts';
import { RequestAccount } from '../memory/request-account.ts';
import { reserveFor, visibleObjectsMemory } from '../engine/request-memory.ts';
import { Visibility, type StaleTips } from '../repository/visibility.ts';
import { remembered } from '../repository/remembered-colours.ts';
import { BlobContent } from './blob-content.ts';
import { readingCommit, type Commit } from './commit-record.ts';
import { findEntry, findFile, folderParts, pathParts } from './find-file.ts';
import { findVisible } from './find-visible.ts';
import { HeldMemory } from './held-memory.ts';
import { listTree, type ListingRange, type TreePage } from './list-tree.ts';
import { readFiles, type ReadFile } from './read-files.ts';
import { readHistory, type HistoryPage, type HistoryPlace, type HistoryRange } from './read-history.ts';
import { readLog, type LogRange } from './read-log.ts';
import { resolveRevision } from './resolve-revision.ts';
import { searchTree, type SearchPage, type TreeSearch } from './search/search-tree.ts';
import { shownMemory } from './shown-memory.ts';
import { TreeContent, treeMemory } from './tree-content.ts';

export interface ContentOptions {
  /** Account that the reads are charged to. Default: a new one. */
  readonly work?: RequestWork;
  /** Prefixes of hidden refs (GIT-129). */
  readonly hiddenRefs: readonly string[];
  /** Time for which objects of retired tips stay readable, like wants (LIM-065). Default: not at all. */
  readonly staleTips?: StaleTips;
  /**
   * Maximum bytes of a log in addition to its largest commit and the base of every request (LIM-059). Default: no
   * limit.
   */
  readonly memoryMax?: number;
}

/** The view and memory of an open reader, for readers of whole trees. */
export interface HeldView {
  readonly view: RepositoryView;
  readonly visibility: Visibility;
  readonly account: RequestAccount;
  readonly memoryMax: number;
  /** Releases memory and packs. Idempotent. */
  readonly release: () => void;
}

/** Memory and packs of one request. */
class Holdings {
  readonly account: RequestAccount;
  /** Releases them. Idempotent. */
  readonly release: () => void;
  /** True once a result holds them for longer than the reader. */
  isHandedOn = false;

  constructor(account: RequestAccount, lease: PackLease) {
    this.account = account;
    this.release = () => {
      account.release();
      lease.release();
    };
  }
}

/** A history to read: its path as bytes, separated by slashes. The root is no restriction, `..` is nowhere. */
export interface HistoryQuery extends Omit<HistoryRange, 'path'> {
  readonly path: Uint8Array;
}

/**
 * Reads the content of one repository snapshot (REPO-140 to REPO-152), for callers that know no protocol. Finds only
 * objects that a fetch may want by id (REPO-142). Holds memory and packs until {@link ContentReader.release}; a
 * returned blob or tree takes them over, and releases them itself.
 *
 * Every method throws {@link NotEnoughMemoryError} if memory is short, and `RepoGoneError` once the repository is
 * deleted.
 */
export class ContentReader {
  readonly #view: RepositoryView;
  readonly #visibility: Visibility;
  readonly #holdings: Holdings;
  readonly #memoryMax: number;

  private constructor(view: RepositoryView, visibility: Visibility, holdings: Holdings, memoryMax: number) {
    this.#view = view;
    this.#visibility = visibility;
    this.#holdings = holdings;
    this.#memoryMax = memoryMax;
  }

  static async open(
    engine: GitEngine,
    repository: GitRepository,
    snapshot: RepoSnapshot,
    options: ContentOptions,
  ): Promise<ContentReader> {
    return (await ContentReader.openAll(engine, [{ repository, snapshot }], options))[0] as ContentReader;
  }

  /**
   * Opens readers of several repositories that one request reads, in their order. They hold memory and packs together: the
   * first that is released, or that hands over what it holds, does so for all.
   */
  static async openAll(
    engine: GitEngine,
    places: readonly { readonly repository: GitRepository; readonly snapshot: RepoSnapshot }[],
    { hiddenRefs, staleTips, memoryMax = Infinity, work = engine.scheduler.begin() }: ContentOptions,
  ): Promise<readonly ContentReader[]> {
    const packs = places.flatMap(({ snapshot }) => snapshot.packs);
    const lease = engine.leases.take(packs);
    let account: RequestAccount | undefined;
    try {
      const bytes = places.reduce((sum, { snapshot }) => sum + visibleObjectsMemory(engine, snapshot), 0);
      account = new RequestAccount(await reserveFor(engine, { packs }, bytes, work));
      const holdings = new Holdings(account, lease);
      const readers: ContentReader[] = [];
      for (const { repository, snapshot } of places) {
        const view = await RepositoryView.open(engine, repository, snapshot, work, account);
        const visibility = new Visibility(view, hiddenRefs, {
          stale: staleTips,
          remembered: remembered(engine, snapshot, hiddenRefs),
        });
        readers.push(new ContentReader(view, visibility, holdings, memoryMax));
      }
      return readers;
    } catch (error) {
      account?.release();
      lease.release();
      throw error;
    }
  }

  /** Returns the kind of an object that may be read; undefined if there is no such object. */
  async kindOf(oid: ObjectId): Promise<ObjectKind | undefined> {
    const found = await findVisible(this.#view, this.#visibility, oid);
    return found === undefined ? undefined : kindName(found.kind);
  }

  /** Returns a commit; undefined if the object is missing or of another kind. */
  async commit(oid: ObjectId): Promise<Commit | undefined> {
    const body = await this.#shown(oid, commitKind, shownMemory);
    return body === undefined ? undefined : inTurns(this.#view.work, cost.parsed, readingCommit(oid, body));
  }

  /** Returns a tree; undefined if the object is missing or of another kind. */
  async tree(oid: ObjectId): Promise<TreeContent | undefined> {
    const body = await this.#shown(oid, treeKind, treeMemory);
    if (body === undefined) return undefined;
    this.#holdings.isHandedOn = true;
    // It is kept for long, so copy a small body to free the buffer around it.
    const own = body.length < body.buffer.byteLength ? body.slice() : body;
    return new TreeContent(own, this.#holdings.account, this.#view.work, this.#holdings.release);
  }

  /** Returns a blob; undefined if the object is missing or of another kind. */
  async blob(oid: ObjectId): Promise<BlobContent | undefined> {
    const found = await findVisible(this.#view, this.#visibility, oid);
    return found?.kind === blobKind ? this.#handOn(found.object, oid) : undefined;
  }

  /**
   * Returns the file or symbolic link at a path of a revision; undefined if either does not resolve.
   *
   * @param path bytes, separated by slashes (REPO-147).
   */
  async file(revision: string, path: Uint8Array): Promise<BlobContent | undefined> {
    const parts = pathParts(path);
    if (parts === undefined) return undefined;
    const commit = await resolveRevision(this.#view, this.#visibility, revision);
    const found = commit === undefined ? undefined : await findFile(this.#view, commit, parts);
    return found === undefined ? undefined : this.#handOn(found.object, found.hash);
  }

  /** Lists first parents, newest first (REPO-143); undefined if the revision does not resolve. */
  async log(revision: string, range: LogRange): Promise<readonly Commit[] | undefined> {
    const commit = await resolveRevision(this.#view, this.#visibility, revision);
    return commit === undefined
      ? undefined
      : readLog(this.#view, this.#holdings.account, commit, range, this.#memoryMax);
  }

  /** Hands over everything that the reader holds. Afterwards, the caller must release it. */
  handOver(): HeldView {
    this.#holdings.isHandedOn = true;
    return {
      view: this.#view,
      visibility: this.#visibility,
      account: this.#holdings.account,
      memoryMax: this.#memoryMax,
      release: this.#holdings.release,
    };
  }

  /** Returns the commit that a revision names (REPO-141, REPO-260); undefined if it does not resolve. */
  async resolve(revision: string): Promise<ObjectId | undefined> {
    const commit = await resolveRevision(this.#view, this.#visibility, revision);
    if (commit === undefined) return undefined;
    await this.#view.loadIndexes();
    return this.#view.objectId(this.#view.set.nodeObjects[commit] as number);
  }

  /**
   * Lists what is below a folder of a commit (REPO-262); undefined if there is no such commit or folder, or if `from` of
   * the range is no place in it.
   *
   * @param path bytes, separated by slashes. Empty and `.` parts are dropped, so an empty path names the root.
   */
  async listTree(commit: ObjectId, path: Uint8Array, range: ListingRange): Promise<TreePage | undefined> {
    const node = await resolveRevision(this.#view, this.#visibility, commit);
    const parts = folderParts(path);
    if (node === undefined || parts === undefined) return undefined;
    const found = await findEntry(this.#view, node, parts);
    if (found?.type !== 'tree') return undefined;
    const prefix = parts.map((part) => `${decodeLossy(part)}/`).join('');
    return listTree(this.#view, this.#heldMemory(), { tree: found.object, prefix }, range);
  }

  /**
   * Reads several files of a commit (REPO-269), in the order of their paths; undefined if there is no such commit, and
   * for a path that names no file.
   *
   * @param paths bytes, separated by slashes (REPO-147).
   * @param bytesMax maximum bytes of all contents together.
   */
  async files(
    commit: ObjectId,
    paths: readonly Uint8Array[],
    bytesMax: number,
  ): Promise<readonly (ReadFile | undefined)[] | undefined> {
    const node = await resolveRevision(this.#view, this.#visibility, commit);
    return node === undefined ? undefined : readFiles(this.#view, this.#heldMemory(), node, paths, bytesMax);
  }

  /**
   * Reads a page of a history in the order of `git log`. Undefined if a commit of `place` is missing.
   *
   * @param place {@link HistoryPage.next} of the page before, or the commits to start from.
   */
  async history(place: HistoryPlace, { path, ...range }: HistoryQuery): Promise<HistoryPage | undefined> {
    const waiting = await this.#nodesOf(place.waiting);
    const again = await this.#nodesOf(place.again);
    if (waiting === undefined || again === undefined) return undefined;
    const parts = folderParts(path);
    if (parts === undefined) return { commits: [], next: undefined };
    const wanted: HistoryRange = parts.length === 0 ? range : { ...range, path: parts };
    return readHistory(this.#view, this.#holdings.account, { ...place, waiting, again }, wanted, this.#memoryMax);
  }

  /**
   * Searches the files of a revision (REPO-295), as far as one page goes.
   *
   * @param path bytes, separated by slashes: a folder or file. Empty for everything.
   * @returns the kind of name that does not resolve, if one does not.
   */
  async search(revision: string, path: Uint8Array, search: TreeSearch): Promise<SearchPage | 'revision' | 'path'> {
    const commit = await resolveRevision(this.#view, this.#visibility, revision);
    if (commit === undefined) return 'revision';
    const parts = folderParts(path);
    const start = search.from === undefined ? parts : pathParts(search.from.path);
    if (parts === undefined || start === undefined) return 'path';
    return (await searchTree(this.#view, this.#holdings.account, commit, parts, start, search)) ?? 'path';
  }

  /** Releases everything except what was handed over. Idempotent. */
  release(): void {
    if (!this.#holdings.isHandedOn) this.#holdings.release();
  }

  #heldMemory(): HeldMemory {
    return new HeldMemory(this.#holdings.account, this.#memoryMax);
  }

  async #nodesOf(commits: readonly ObjectId[]): Promise<readonly number[] | undefined> {
    const nodes: number[] = [];
    for (const commit of commits) {
      const found = await findVisible(this.#view, this.#visibility, commit);
      if (found?.kind !== commitKind || found.node < 0) return undefined;
      nodes.push(found.node);
    }
    return nodes;
  }

  #handOn(object: number, hash: ObjectId): BlobContent {
    this.#holdings.isHandedOn = true;
    return new BlobContent(this.#view, object, hash, this.#holdings.account, this.#holdings.release);
  }

  /** Returns a view of the body of a commit or tree to show. */
  async #shown(
    oid: ObjectId,
    kind: typeof commitKind | typeof treeKind,
    memoryOf: (size: number) => number,
  ): Promise<Uint8Array | undefined> {
    const found = await findVisible(this.#view, this.#visibility, oid);
    if (found?.kind !== kind) return undefined;
    const { set } = this.#view;
    const { graph, objectStart } = set.packOfObject(found.object);
    await this.#holdings.account.planMore(memoryOf(set.size(found.object)));
    await this.#holdings.account.expectReading(readingMemory(graph, found.object - objectStart));
    return (await this.#view.read(found.object)).body;
  }
}
