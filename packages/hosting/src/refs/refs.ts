import {
  parseRefName,
  RefReader,
  RepoGoneError,
  retryExpired,
  type GitEngine,
  type ObjectId,
  type ObjectKind,
  type RefName,
  type RefRecord,
  type RequestWork,
} from '@packhouse/git';
import { Fields, HostingError, type RawFields } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import { readCursor, writeCursor } from '../lists/cursor.ts';
import type { CursorInfo } from '../lists/page.ts';
import type { KnownRepos } from '../lookup/known-repos.ts';
import { openRepo, type RepoPath } from '../lookup/open-repo.ts';
import { foldName } from '../names/fold.ts';

/** A ref (REPO-232), members in order. */
export interface Ref {
  /** The full name, such as `refs/heads/main`. */
  readonly name: string;
  /** The object that the ref points to. */
  readonly hash: ObjectId;
  /** The kind of that object. */
  readonly kind: ObjectKind;
  /** For a tag object: the object that it leads to in the end; else null. */
  readonly peeled: ObjectId | null;
}

/** A page of refs with its `result_info`. */
export interface RefPage {
  readonly rows: readonly Ref[];
  readonly info: CursorInfo;
}

/** Refs of repos. Methods throw {@link HostingError} for errors that clients may see. `work` as for `Content`. */
export interface Refs {
  /** Parameters in `query`: `limit`, `cursor`, `prefix` (REPO-233). Reads no more refs than the page has, and one. */
  list(repo: RepoPath, query: RawFields, work?: RequestWork): Promise<RefPage>;
  /** `name` is a full name (REPO-234). */
  get(repo: RepoPath, name: string, work?: RequestWork): Promise<Ref>;
}

/** Rows of a page (LIM-024). */
const pageDefault = 100;
const pageMax = 1000;

export function createRefs(context: Context, known: KnownRepos, engine: GitEngine): Refs {
  const reading = async <T>(
    path: RepoPath,
    read: (reader: RefReader) => Promise<T>,
    work: RequestWork = engine.scheduler.begin({ tenant: path.account }),
  ): Promise<T> => {
    const { repo, snapshot } = await openRepo(context, known, path);
    const options = { hiddenRefs: context.settings.hidden_refs, work };
    try {
      return await retryExpired(repo, snapshot, (current) => read(new RefReader(engine, repo, current, options)));
    } catch (error) {
      throw error instanceof RepoGoneError ? new HostingError('repoNotFound') : error;
    }
  };

  return {
    async list(repo, query, work) {
      const fields = new Fields(query);
      const limit = fields.integer('limit', { min: 1, max: pageMax }, pageDefault);
      const invalidCursor = fields.later('cursor');
      const sent = fields.optionalString('cursor') ?? '';
      const prefix = fields.optionalString('prefix') ?? '';
      const list = ['refs', repo.account, foldName(repo.namespace), foldName(repo.repo), prefix];
      const after = sent === '' ? undefined : await nameAt(sent, list);
      if (sent !== '' && after === undefined) invalidCursor('Invalid cursor');
      fields.check();
      // One row more than asked for tells whether rows remain.
      const found = await reading(repo, (reader) => reader.page(prefix, after, limit + 1), work);
      const rows = found.slice(0, limit);
      const last = found.length > limit ? rows.at(-1) : undefined;
      const cursor = last === undefined ? '' : await writeCursor({ key: last.name, tie: '' }, list);
      return { rows: rows.map(shown), info: { cursor, per_page: limit, count: rows.length } };
    },

    async get(repo, name, work) {
      const ref = await reading(repo, (reader) => reader.find(name), work);
      if (ref === undefined) throw new HostingError('refNotFound');
      return shown(ref);
    },
  };
}

/** The name that a cursor stands for; undefined if it is not one of this list. */
async function nameAt(cursor: string, list: readonly string[]): Promise<RefName | undefined> {
  const place = await readCursor(cursor, list, 'string');
  return place === undefined ? undefined : parseRefName(place.key as string);
}

function shown({ name, oid, kind, peeled }: RefRecord): Ref {
  return { name, hash: oid, kind, peeled };
}
