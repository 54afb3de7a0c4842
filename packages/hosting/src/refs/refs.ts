import {
  parseRefName,
  refNameMax,
  RefReader,
  RepoGoneError,
  retryExpired,
  type GitEngine,
  type ObjectId,
  type ObjectKind,
  type RefName,
  type RefRecord,
  type RequestWork,
  type WantedUpdate,
} from '@packhouse/git';
import { Fields, HostingError, type RawFields } from '@packhouse/base';
import { openForChange } from '../changes/change-repo.ts';
import type { Context } from '../internal/context.ts';
import { readCursor, readCursorField, writeCursor } from '../lists/cursor.ts';
import type { CursorInfo } from '../lists/page.ts';
import type { KnownRepos } from '../lookup/known-repos.ts';
import {
  identityOf,
  openPlace,
  openRepo,
  type OpenRepo,
  type RepoIdentity,
  type RepoPath,
} from '../lookup/open-repo.ts';
import { readDeletion, readUpdate, readUpdates } from './read-updates.ts';
import { updateRefsOf, type RefChange } from './update-refs.ts';

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
export interface RefListPage {
  readonly rows: readonly Ref[];
  readonly info: CursorInfo;
}

/** Refs of repos. Methods throw {@link HostingError} for errors that clients may see. `work` as for `Content`. */
export interface Refs {
  /** Parameters in `query`: `limit`, `cursor`, `prefix` (REPO-233).  */
  list(repo: RepoPath | RepoIdentity, query: RawFields, work?: RequestWork): Promise<RefListPage>;
  /** `name` is a full name (REPO-234). */
  get(repo: RepoPath, name: string, work?: RequestWork): Promise<Ref>;
  /** Creates or moves a ref. Members of `body`: `old`, `new`, `force` (REPO-244). */
  set(repo: RepoPath, name: string, body: RawFields, work?: RequestWork): Promise<RefChange>;
  /** Deletes a ref. Parameter in `query`: `old` (REPO-244). */
  delete(repo: RepoPath, name: string, query: RawFields, work?: RequestWork): Promise<RefChange>;
  /** Updates refs, all or none. Member of `body`: `updates` (REPO-244). */
  update(repo: RepoPath | RepoIdentity, body: RawFields, work?: RequestWork): Promise<readonly RefChange[]>;
}

/** Rows of a page (LIM-024). The engine reads one more, at most 1,024. */
export const refPageRows = { max: 1000, default: 100 } as const;

export function createRefs(context: Context, known: KnownRepos, engine: GitEngine): Refs {
  const workOf = (account: string): RequestWork => engine.scheduler.begin({ tenant: account });
  const reading = async <T>(
    { repo, snapshot }: OpenRepo,
    read: (reader: RefReader) => Promise<T>,
    work: RequestWork,
  ): Promise<T> => {
    const options = { hiddenRefs: context.settings.hidden_refs, work };
    try {
      return await retryExpired(repo, snapshot, (current) => read(new RefReader(engine, repo, current, options)));
    } catch (error) {
      throw error instanceof RepoGoneError ? new HostingError('repoNotFound') : error;
    }
  };

  const one = async (path: RepoPath, update: WantedUpdate, work: RequestWork): Promise<RefChange> => {
    const repo = await openForChange(context, known, path);
    const [change] = await updateRefsOf(context, engine, repo, [update], work);
    return change as RefChange;
  };

  return {
    async list(place, query, work = workOf(place.account)) {
      const fields = new Fields(query);
      const prefix = fields.optionalString('prefix') ?? '';
      const limit = fields.integer('limit', { min: 1, max: refPageRows.max }, refPageRows.default);
      const list = ['refs', ...identityOf(place), prefix];
      const after = await readCursorField(fields, list, nameOfCursor);
      fields.check();
      const repo = await openPlace(context, known, place);
      // No ref has such a name, and a store may refuse to look it up.
      const isPossible = prefix.isWellFormed() && prefix.length <= refNameMax;
      // One row more than asked for tells whether rows remain.
      const found = isPossible ? await reading(repo, (reader) => reader.page(prefix, after, limit + 1), work) : [];
      const rows = found.slice(0, limit);
      const last = found.length > limit ? rows.at(-1) : undefined;
      const cursor = last === undefined ? '' : await writeCursor({ key: last.name, tie: '' }, list);
      return { rows: rows.map(toRef), info: { cursor, per_page: limit, count: rows.length } };
    },

    async get(path, name, work = workOf(path.account)) {
      const ref = await reading(await openRepo(context, known, path), (reader) => reader.find(name), work);
      if (ref === undefined) throw new HostingError('refNotFound');
      return toRef(ref);
    },

    async set(path, name, body, work = workOf(path.account)) {
      const parsed = parseRefName(name);
      const fields = new Fields(body);
      if (parsed === undefined) fields.fail('ref_name', 'Invalid ref name');
      return one(path, readUpdate(parsed as RefName, fields), work);
    },

    async delete(path, name, query, work = workOf(path.account)) {
      const parsed = parseRefName(name);
      const deletion = readDeletion(parsed as RefName, new Fields(query));
      if (parsed !== undefined) return one(path, deletion, work);
      await openForChange(context, known, path);
      throw new HostingError('refNotFound');
    },

    async update(place, body, work = workOf(place.account)) {
      const updates = readUpdates(new Fields(body));
      const repo = await openForChange(context, known, place);
      return updateRefsOf(context, engine, repo, updates, work, (number) => `/updates/${number}`);
    },
  };
}

/** The name that a cursor stands for; undefined if it is not one of this list. */
async function nameOfCursor(cursor: string, list: readonly string[]): Promise<RefName | undefined> {
  const place = await readCursor(cursor, list, 'string');
  return place === undefined ? undefined : parseRefName(place.key as string);
}

function toRef({ name, oid, kind, peeled }: RefRecord): Ref {
  return { name, hash: oid, kind, peeled };
}
