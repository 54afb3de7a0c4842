import {
  ArchiveContent,
  ContentReader,
  deletionOr,
  parseObjectId,
  readCommitChanges,
  RepoGoneError,
  retryAllExpired,
  type BlobContent,
  type Commit,
  type CommitWithChanges,
  type Comparison,
  type ComparisonSummary,
  type GitEngine,
  type ObjectId,
  type RepoSnapshot,
  type RequestWork,
  type TreeContent,
} from '@packhouse/git';
import type { CheckedArchive } from './archive-fields.ts';
import { openRelative } from '../lookup/open-relative.ts';
import { memoryError } from '../limits/capacity-error.ts';
import { HostingError, type RepoErrorKind, Fields, type RawFields } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import type { KnownRepos } from '../lookup/known-repos.ts';
import { compare } from './compare.ts';
import { parseFiles, type FilesRead } from './read-files.ts';
import { parseListing, type Listing } from './read-listing.ts';
import { parseLog, type LogPage } from './read-log.ts';
import { identityOf, openPlace, type OpenRepo, type RepoIdentity, type RepoPath } from '../lookup/open-repo.ts';

import { search, type SearchPageResult } from './search.ts';

export type { RepoPath } from '../lookup/open-repo.ts';

/** An archive, and the name of its repo as it is stored (REPO-062). */
export interface NamedArchive {
  readonly archive: ArchiveContent;
  readonly repoName: string;
}

/**
 * Reads the content of repos (REPO-140 to REPO-152), each call from one snapshot. Every method throws {@link
 * HostingError} for errors that the client gets. A returned blob, tree or archive holds memory until the caller has read all of
 * it or releases it. `work` counts the work of the request for the scheduler. Default: each call counts for the repo's
 * account.
 */
export interface Content {
  /**
   * Parameters in `query`: `ref`, `limit`, `offset` (REPO-143, REPO-220, LIM-004), `path`, `parents`, `author`, `since`,
   * `until`, `cursor` (REPO-265 to REPO-268).
   */
  log(repo: RepoPath | RepoIdentity, query: RawFields, work?: RequestWork): Promise<LogPage>;
  /** Parameters in `query`: `ref`, `path`, `recursive`, `depth`, `limit`, `cursor` (REPO-262). */
  listTree(repo: RepoPath | RepoIdentity, query: RawFields, work?: RequestWork): Promise<Listing>;
  /** Members of `body`: `ref`, `paths` (REPO-269). */
  files(repo: RepoPath | RepoIdentity, body: RawFields, work?: RequestWork): Promise<FilesRead>;
  /** Parameter in `query`: `include` (REPO-306). */
  commit(repo: RepoPath, hash: string, query?: RawFields, work?: RequestWork): Promise<Commit | CommitWithChanges>;
  tree(repo: RepoPath, hash: string, work?: RequestWork): Promise<TreeContent>;
  blob(repo: RepoPath, hash: string, work?: RequestWork): Promise<BlobContent>;
  /** Parameters in `query`: `ref`, `path` (REPO-147). */
  file(repo: RepoPath, query: RawFields, work?: RequestWork): Promise<BlobContent>;
  /** `path` is bytes, since names in a repo need not be UTF-8 (REPO-148). */
  raw(repo: RepoPath, revision: string, path: Uint8Array, work?: RequestWork): Promise<BlobContent>;
  /** Throws `refNotFound` or `fileNotFound` if there is nothing to archive (REPO-288). */
  archive(repo: RepoPath, request: CheckedArchive, work?: RequestWork): Promise<NamedArchive>;
  /** Parameters in `query`: `q`, `ref`, `path`, `regex`, `ignore_case`, `limit`, `cursor` (REPO-293). */
  search(repo: RepoPath | RepoIdentity, query: RawFields, work?: RequestWork): Promise<SearchPageResult>;
  /**
   * Compares the merge base of two revisions with the second of them (REPO-271, REPO-276). Parameters in `query`: `base`,
   * `head`. Throws `refNotFound` if one does not resolve.
   */
  compare(repo: RepoPath | RepoIdentity, query: RawFields, work?: RequestWork): Promise<ComparisonSummary>;
  /** Does the same for the patch of a comparison, which the caller must read or release (REPO-274). */
  patch(repo: RepoPath, query: RawFields, work?: RequestWork): Promise<Comparison>;
  /**
   * Reads a repo by its id, for callers that keep the id. The reader is released when `read` settles. If too many refs
   * change meanwhile to read those of the snapshot, `read` is called again with a new reader (GIT-156).
   *
   * @throws {HostingError} `repoNotFound` if the repo was deleted, `memoryLimit`, `overloaded`.
   */
  read<T>(repo: RepoIdentity, read: (reader: ContentReader) => Promise<T>): Promise<T>;
}

const encoder = new TextEncoder();

export function createContent(context: Context, known: KnownRepos, engine: GitEngine): Content {
  const { clock, dialect, settings } = context;
  const readOpened = async <T>(
    opened: readonly OpenRepo[],
    read: (readers: readonly ContentReader[]) => Promise<T>,
    work: RequestWork,
  ): Promise<T> => {
    const repos = opened.map(({ repo }) => repo);
    const snapshots = opened.map(({ snapshot }) => snapshot);
    try {
      return await retryAllExpired(repos, snapshots, async (current) => {
        const places = repos.map((repository, i) => ({ repository, snapshot: current[i] as RepoSnapshot }));
        const readers = await ContentReader.openAll(engine, places, {
          hiddenRefs: settings.hidden_refs,
          staleTips: { now: clock.now(), grace: settings.stale_want_grace * 1000 },
          memoryMax: settings.request_memory_max,
          work,
        });
        try {
          return await read(readers);
        } finally {
          readers[0]?.release();
        }
      });
    } catch (error) {
      if (error instanceof HostingError) throw error;
      for (const repo of repos) {
        if ((await deletionOr(error, repo)) instanceof RepoGoneError) throw new HostingError('repoNotFound');
      }
      throw memoryError(error) ?? error;
    }
  };
  const workOf = (account: string): RequestWork => engine.scheduler.begin({ tenant: account });
  const reading = async <T>(
    repo: RepoPath | RepoIdentity,
    read: (reader: ContentReader) => Promise<T>,
    work: RequestWork = workOf(repo.account),
  ): Promise<T> => {
    return readOpened([await openPlace(context, known, repo)], ([reader]) => read(reader as ContentReader), work);
  };
  const found = async <T>(
    path: RepoPath,
    missing: RepoErrorKind,
    read: (reader: ContentReader) => Promise<T | undefined>,
    work: RequestWork | undefined,
  ): Promise<T> => {
    const value = await reading(path, read, work);
    if (value === undefined) throw new HostingError(missing);
    return value;
  };
  const comparing = <T>(
    place: RepoPath | RepoIdentity,
    query: RawFields,
    use: (comparison: Comparison) => Promise<T>,
    work: RequestWork = workOf(place.account),
  ): Promise<T> =>
    compare(
      query,
      (relative) =>
        relative === undefined ? openPlace(context, known, place) : openRelative(context, known, place, relative),
      (opened, read) => readOpened(opened, read, work),
      use,
    );

  return {
    async log(repo, query, work) {
      const { ref, read } = await parseLog(query, identityOf(repo), settings);
      const page = await reading(repo, read, work);
      if (page === undefined && dialect.refusesUnresolvedLog && ref !== 'HEAD') throw new HostingError('refNotFound');
      return page ?? { commits: [] };
    },

    async listTree(repo, query, work) {
      return reading(repo, await parseListing(query, identityOf(repo)), work);
    },

    files: async (repo, body, work) => reading(repo, parseFiles(body), work),

    async commit(repo, hash, query = {}, work) {
      const fields = new Fields(query);
      const oid = readHash(fields, hash);
      const hasChanges = fields.option('include', ['changes'], undefined) !== undefined;
      fields.check();
      const read = (reader: ContentReader) => (hasChanges ? readCommitChanges(reader, oid) : reader.commit(oid));
      return found<Commit>(repo, 'commitNotFound', read, work);
    },

    async tree(repo, hash, work) {
      const oid = requireHash(hash);
      return found(repo, 'treeNotFound', (reader) => reader.tree(oid), work);
    },

    async blob(repo, hash, work) {
      const oid = requireHash(hash);
      return found(repo, 'blobNotFound', (reader) => reader.blob(oid), work);
    },

    async file(repo, query, work) {
      const fields = new Fields(query);
      const revision = fields.optionalString('ref') ?? 'HEAD';
      const path = fields.string('path');
      fields.check();
      return found(repo, 'fileNotFound', (reader) => reader.file(revision, encoder.encode(path)), work);
    },

    raw: (repo, revision, path, work) => found(repo, 'fileNotFound', (reader) => reader.file(revision, path), work),

    async archive(repo, request, work = workOf(repo.account)) {
      const open = await openPlace(context, known, repo);
      const found = await readOpened([open], ([reader]) => ArchiveContent.open(reader as ContentReader, request), work);
      if (typeof found === 'string') throw new HostingError(found === 'ref' ? 'refNotFound' : 'fileNotFound');
      return { archive: found, repoName: open.snapshot.name };
    },

    compare: (repo, query, work) => comparing(repo, query, (comparison) => comparison.summary(), work),

    patch: (repo, query, work) => comparing(repo, query, async (comparison) => comparison, work),

    read: (identity, read) => reading(identity, read),

    search: (repo, query, work) => search(identityOf(repo), query, clock, (read) => reading(repo, read, work)),
  };
}

/** @throws {HostingError} `invalidInput` (REPO-140). */
function requireHash(hash: string): ObjectId {
  const fields = new Fields({});
  const oid = readHash(fields, hash);
  fields.check();
  return oid;
}

/** Records a fault of a hash that is a part of the path. */
function readHash(fields: Fields, hash: string): ObjectId {
  const oid = parseObjectId(hash);
  if (oid === undefined) fields.fail('hash', 'Invalid SHA-1 hash');
  return oid as ObjectId;
}
