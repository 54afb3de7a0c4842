import {
  ContentReader,
  NotEnoughMemoryError,
  parseObjectId,
  RepoGoneError,
  type BlobContent,
  type Commit,
  type GitEngine,
  type ObjectId,
  type TreeEntry,
} from '@packhouse/git';
import { HostingError, type RepoErrorKind } from '../errors.ts';
import { Fields, type RawFields } from '../input/fields.ts';
import type { Context } from '../internal/context.ts';
import type { KnownRepos } from '../repos/known-repos.ts';
import { openById, openRepo, type OpenRepo, type RepoIdentity, type RepoPath } from './open-repo.ts';

export type { RepoPath } from './open-repo.ts';

/**
 * Reads of what repos hold (REPO-140 to REPO-152), each on one state of the repo. Every method throws
 * {@link HostingError} for what the client is to be told. A blob that is answered holds memory until its body has been
 * taken, or it is released.
 */
export interface Content {
  /** Parameters in `query`: `ref`, `limit`, `offset` (REPO-143, LIM-004). */
  log(repo: RepoPath, query: RawFields): Promise<readonly Commit[]>;
  commit(repo: RepoPath, hash: string): Promise<Commit>;
  tree(repo: RepoPath, hash: string): Promise<readonly TreeEntry[]>;
  blob(repo: RepoPath, hash: string): Promise<BlobContent>;
  /** Parameters in `query`: `ref`, `path` (REPO-147). */
  file(repo: RepoPath, query: RawFields): Promise<BlobContent>;
  /** `path`: bytes, since names in a repo need not be UTF-8 (REPO-148). */
  raw(repo: RepoPath, revision: string, path: Uint8Array): Promise<BlobContent>;
  /**
   * Reads by the id of a repo, for who holds on to it: `read` gets a reader that is released when it is done.
   *
   * @throws {HostingError} `repoNotFound` once it is deleted, and `memoryLimit`.
   */
  read<T>(repo: RepoIdentity, read: (reader: ContentReader) => Promise<T>): Promise<T>;
}

const encoder = new TextEncoder();

export function createContent(context: Context, known: KnownRepos, engine: GitEngine): Content {
  const { clock, settings } = context;
  const readOpened = async <T>(
    { repo, snapshot }: OpenRepo,
    read: (reader: ContentReader) => Promise<T>,
  ): Promise<T> => {
    let reader: ContentReader | undefined;
    try {
      reader = await ContentReader.open(engine, repo, snapshot, {
        hiddenRefs: settings.hidden_refs,
        staleTips: { now: clock.now(), grace: settings.stale_want_grace * 1000 },
        memoryMax: settings.request_memory_max,
      });
      return await read(reader);
    } catch (error) {
      if (error instanceof RepoGoneError) throw new HostingError('repoNotFound');
      if (error instanceof NotEnoughMemoryError) throw new HostingError('memoryLimit');
      throw error;
    } finally {
      reader?.release();
    }
  };
  const reading = async <T>(path: RepoPath, read: (reader: ContentReader) => Promise<T>): Promise<T> =>
    readOpened(await openRepo(context, known, path), read);
  const found = async <T>(
    path: RepoPath,
    missing: RepoErrorKind,
    read: (reader: ContentReader) => Promise<T | undefined>,
  ): Promise<T> => {
    const value = await reading(path, read);
    if (value === undefined) throw new HostingError(missing);
    return value;
  };

  return {
    async log(repo, query) {
      const fields = new Fields(query);
      const revision = fields.optionalString('ref') ?? 'HEAD';
      const limit = readLimit(fields, settings.log_page_default);
      const offset = fields.integer('offset', { min: 0, max: Infinity }, 0);
      fields.check();
      const range = { offset, limit: Math.min(limit, settings.log_page_max) };
      return reading(repo, (reader) => reader.log(revision, range));
    },

    async commit(repo, hash) {
      const oid = requireHash(hash);
      return found(repo, 'commitNotFound', (reader) => reader.commit(oid));
    },

    async tree(repo, hash) {
      const oid = requireHash(hash);
      return found(repo, 'treeNotFound', (reader) => reader.tree(oid));
    },

    async blob(repo, hash) {
      const oid = requireHash(hash);
      return found(repo, 'blobNotFound', (reader) => reader.blob(oid));
    },

    async file(repo, query) {
      const fields = new Fields(query);
      const revision = fields.optionalString('ref') ?? 'HEAD';
      const path = fields.string('path');
      fields.check();
      return found(repo, 'fileNotFound', (reader) => reader.file(revision, encoder.encode(path)));
    },

    raw: (repo, revision, path) => found(repo, 'fileNotFound', (reader) => reader.file(revision, path)),

    read: async (identity, read) => readOpened(await openById(context, known, identity), read),
  };
}

/** Has a text of its own for what is too small (REPO-143), and no upper end. */
function readLimit(fields: Fields, absent: number): number {
  const limit = fields.integer('limit', { min: -Infinity, max: Infinity }, absent);
  if (limit < 1) fields.fail('limit', 'Too small: expected number to be >0');
  return limit;
}

/** @throws {HostingError} `invalidInput` (REPO-140). */
function requireHash(hash: string): ObjectId {
  const oid = parseObjectId(hash);
  if (oid !== undefined) return oid;
  const fields = new Fields({});
  fields.fail('hash', 'Invalid SHA-1 hash');
  fields.check();
  throw new Error('A bad field was not told');
}
