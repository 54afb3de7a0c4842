import type { PackId } from '@packhouse/git';
import {
  type Catalog,
  type Catalogs,
  type DeletedRepo,
  type DeleteOutcome,
  type NamespaceRecord,
  type NewRepo,
  type RepoContent,
  type Place,
  type RepoList,
  type RepoRecord,
  type ReserveOutcome,
  type Slice,
  type RepoUpdate,
  type TokenLine,
  type Touch,
  type UpdateOutcome,
  foldName,
} from '@packhouse/hosting';

/**
 * Makes catalogs in memory, for tests, mocks and browsers.
 *
 * @param namespaceDeleted called in the same step as the deletion of a namespace. Default: no call.
 */
export function memoryCatalogs(
  namespaceDeleted: (account: string, name: string, at: number) => void = () => {},
): Catalogs {
  const catalogs = new Map<string, Catalog>();
  return (account) => {
    const catalog = catalogs.get(account) ?? new MemoryCatalog((name, at) => namespaceDeleted(account, name, at));
    catalogs.set(account, catalog);
    return catalog;
  };
}

type StoredRepo = Omit<RepoRecord, 'namespace' | 'jurisdiction'> & {
  readonly inNamespace: string;
  readonly bytes: number;
};

type StoredDeletion = DeletedRepo & {
  readonly names: string;
  readonly remembered: boolean;
  readonly due: number | null;
};

class MemoryCatalog implements Catalog {
  /** By name in lower case. */
  readonly #namespaces = new Map<string, NamespaceRecord>();
  readonly #repos = new Map<string, StoredRepo>();
  /** Ids by namespace and lower-case name, so that the time of an operation does not grow with the number of repos. */
  readonly #ids = new Map<string, Map<string, string>>();
  readonly #tokens = new Map<string, TokenLine & { readonly repo: string }>();
  readonly #deleted = new Map<string, StoredDeletion>();
  /** Bytes of all repos. */
  #bytes = 0;
  readonly #namespaceDeleted: (name: string, at: number) => void;

  constructor(namespaceDeleted: (name: string, at: number) => void) {
    this.#namespaceDeleted = namespaceDeleted;
  }

  async createNamespace(name: string, jurisdiction: string, at: number): Promise<'created' | 'exists'> {
    if (this.#namespaces.has(foldName(name))) return 'exists';
    this.#namespaces.set(foldName(name), { name, jurisdiction, repoCount: 0, createdAt: at, updatedAt: at });
    return 'created';
  }

  async namespace(name: string): Promise<NamespaceRecord | undefined> {
    return this.#namespaces.get(foldName(name));
  }

  async namespaces(slice: Slice): Promise<readonly NamespaceRecord[]> {
    const place = (row: NamespaceRecord): Place => ({ key: row.createdAt, tie: foldName(row.name) });
    return cut([...this.#namespaces.values()], place, 'desc', slice);
  }

  async countNamespaces(): Promise<number> {
    return this.#namespaces.size;
  }

  async deleteNamespace(name: string, at: number): Promise<'deleted' | 'missing' | 'not empty'> {
    const found = this.#namespaces.get(foldName(name));
    if (found === undefined) return 'missing';
    if (found.repoCount > 0) return 'not empty';
    this.#namespaces.delete(foldName(name));
    this.#ids.delete(foldName(name));
    this.#namespaceDeleted(name, at);
    return 'deleted';
  }

  async reserveRepo({ namespace, ...repo }: NewRepo, token: TokenLine): Promise<ReserveOutcome> {
    if (this.#byName(namespace, repo.name) !== undefined) return { kind: 'exists' };
    // No `await` between the check and the insertion: two concurrent calls must not both find the name free.
    void this.createNamespace(namespace, 'unrestricted', repo.createdAt);
    const stored = {
      ...repo,
      inNamespace: foldName(namespace),
      updatedAt: repo.createdAt,
      lastPushAt: null,
      bytes: 0,
      version: 0,
      revision: 0,
      unsettled: null,
    };
    this.#repos.set(repo.id, stored);
    const ids = this.#ids.get(stored.inNamespace) ?? new Map<string, string>();
    this.#ids.set(stored.inNamespace, ids.set(foldName(repo.name), repo.id));
    this.#count(stored.inNamespace, 1, repo.createdAt);
    this.#tokens.set(token.id, { ...token, repo: repo.id });
    return { kind: 'reserved', repo: this.#record(stored) };
  }

  async publishRepo(id: string, found?: RepoContent): Promise<boolean> {
    const repo = this.#repos.get(id);
    if (repo === undefined) return false;
    const published = { ...repo, status: 'ready' } as const;
    if (found === undefined) this.#repos.set(id, published);
    else {
      const { defaultBranch, at, bytes, version } = found;
      this.#set({ ...published, defaultBranch, updatedAt: Math.max(repo.updatedAt, at) }, bytes, version);
    }
    return true;
  }

  async renewRepo(id: string, at: number): Promise<boolean> {
    const repo = this.#repos.get(id);
    // A ready repo needs no sign of life, and ignores a late one (REPO-057).
    if (repo !== undefined && repo.status !== 'ready') {
      this.#repos.set(id, { ...repo, updatedAt: Math.max(repo.updatedAt, at) });
    }
    return repo !== undefined;
  }

  async repo(namespace: string, name: string): Promise<RepoRecord | undefined> {
    const found = this.#byName(namespace, name);
    return found && this.#record(found);
  }

  async repoById(id: string): Promise<RepoRecord | undefined> {
    const found = this.#repos.get(id);
    return found && this.#record(found);
  }

  async repos(namespace: string, { search, sort, direction }: RepoList, slice: Slice): Promise<readonly RepoRecord[]> {
    const keys = {
      created_at: (repo: StoredRepo) => repo.createdAt,
      updated_at: (repo: StoredRepo) => repo.updatedAt,
      last_push_at: (repo: StoredRepo) => repo.lastPushAt ?? -1,
      name: (repo: StoredRepo) => foldName(repo.name),
    };
    const place = (repo: StoredRepo): Place => ({ key: keys[sort](repo), tie: repo.id });
    return cut(this.#search(namespace, search), place, direction, slice).map((repo) => this.#record(repo));
  }

  async countRepos(namespace: string, search: string): Promise<number> {
    return this.#search(namespace, search).length;
  }

  async deleteRepo(
    namespace: string,
    name: string,
    at: number,
    rememberedSince: number,
    within?: readonly string[],
  ): Promise<DeleteOutcome> {
    const found = this.#byName(namespace, name);
    if (found !== undefined && within?.includes(found.id) === false) return { kind: 'missing' };
    if (found !== undefined) return { kind: 'deleted', repo: this.#remove(found, at, true), erased: false };
    const [last] = [...this.#deleted.values()]
      .filter((one) => one.remembered && one.names === namesOf(namespace, name) && one.deletedAt > rememberedSince)
      .toSorted((a, b) => b.deletedAt - a.deletedAt || compare(a.id, b.id));
    if (last === undefined) return { kind: 'missing' };
    return { kind: 'remembered', repo: deletion(last), erased: last.due === null || last.due > last.deletedAt };
  }

  async updateRepo(id: string, update: RepoUpdate): Promise<UpdateOutcome> {
    const found = this.#repos.get(id);
    if (found === undefined || found.status !== 'ready') return { kind: 'missing' };
    if (found.revision !== update.revision || found.unsettled !== null) return { kind: 'stale' };
    const ids = this.#ids.get(found.inNamespace) as Map<string, string>;
    const other = ids.get(foldName(update.name));
    if (other !== undefined && other !== id) return { kind: 'exists' };
    const { name, description, defaultBranch, readOnly, revision, at, forkSource, events } = update;
    const changed = { ...found, name, description, defaultBranch, readOnly };
    const updatedAt = Math.max(found.updatedAt, at);
    const stored = { ...changed, updatedAt, revision: revision + 1, unsettled: [...events] };
    this.#repos.set(id, stored);
    ids.delete(foldName(found.name));
    ids.set(foldName(name), id);
    for (const fork of this.#repos.values()) {
      if (fork.parentId === id) this.#repos.set(fork.id, { ...fork, source: forkSource });
    }
    return { kind: 'updated', repo: this.#record(this.#repos.get(id) ?? stored) };
  }

  async settleRepo(id: string, revision: number): Promise<RepoRecord | undefined> {
    const found = this.#repos.get(id);
    if (found?.revision === revision) this.#repos.set(id, { ...found, unsettled: null });
    return this.repoById(id);
  }

  async unsettled(): Promise<readonly RepoRecord[]> {
    return [...this.#repos.values()].filter((repo) => repo.unsettled !== null).map((repo) => this.#record(repo));
  }

  async dropRepo(id: string, at: number): Promise<DeletedRepo | undefined> {
    const found = this.#repos.get(id);
    return found === undefined || found.status === 'ready' ? undefined : this.#remove(found, at, false);
  }

  async unfinished(before: number): Promise<readonly RepoRecord[]> {
    return [...this.#repos.values()]
      .filter((repo) => repo.status !== 'ready' && repo.updatedAt < before)
      .map((repo) => this.#record(repo));
  }

  async dueErasures(at: number): Promise<readonly DeletedRepo[]> {
    return [...this.#deleted.values()]
      .filter(({ due }) => due !== null && due <= at)
      .toSorted((a, b) => Number(a.due) - Number(b.due))
      .slice(0, 100)
      .map(deletion);
  }

  async notePacks(id: string, packs: readonly PackId[]): Promise<void> {
    const found = this.#deleted.get(id);
    if (found !== undefined) this.#deleted.set(id, { ...found, packs: [...packs] });
  }

  async setErasureDue(id: string, due: number | null): Promise<void> {
    const found = this.#deleted.get(id);
    if (found !== undefined) this.#deleted.set(id, { ...found, due });
  }

  async forgetErased(before: number): Promise<void> {
    for (const { id, due, deletedAt } of this.#deleted.values()) {
      if (due === null && deletedAt < before) this.#deleted.delete(id);
    }
  }

  async addToken(repo: string, token: TokenLine, at: number, history: number): Promise<boolean> {
    if (!this.#repos.has(repo)) return false;
    this.#tokens.set(token.id, { ...token, repo });
    const ended = [...this.#tokens.values()]
      .filter((one) => one.repo === repo && one.expiresAt <= at)
      .toSorted((a, b) => b.createdAt - a.createdAt || compare(a.id, b.id));
    for (const { id } of ended.slice(history)) this.#tokens.delete(id);
    return true;
  }

  async dropTokens(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#tokens.delete(id);
  }

  async tokenRepo(token: string): Promise<RepoRecord | undefined> {
    const found = this.#repos.get(this.#tokens.get(token)?.repo ?? '');
    return found && this.#record(found);
  }

  async touch(id: string, { pushedAt, bytes, version }: Touch): Promise<void> {
    const repo = this.#repos.get(id);
    if (repo === undefined) return;
    const times =
      pushedAt === null
        ? {}
        : { updatedAt: Math.max(repo.updatedAt, pushedAt), lastPushAt: Math.max(repo.lastPushAt ?? -1, pushedAt) };
    this.#set({ ...repo, ...times }, bytes, version);
  }

  async storedBytes(): Promise<number> {
    return this.#bytes;
  }

  /** Stores a repo. Updates its size only if `version` is newer than the known one. */
  #set(repo: StoredRepo, bytes: number, version: number): void {
    const isNewer = version > repo.version;
    this.#repos.set(repo.id, isNewer ? { ...repo, bytes, version } : repo);
    if (isNewer) this.#bytes += bytes - repo.bytes;
  }

  #byName(namespace: string, name: string): StoredRepo | undefined {
    const id = this.#ids.get(foldName(namespace))?.get(foldName(name));
    return id === undefined ? undefined : this.#repos.get(id);
  }

  #search(namespace: string, search: string): StoredRepo[] {
    const part = foldName(search);
    const ids = this.#ids.get(foldName(namespace)) ?? new Map<string, string>();
    return [...ids].filter(([name]) => name.includes(part)).map(([, id]) => this.#repos.get(id) as StoredRepo);
  }

  #count(folded: string, difference: 1 | -1, at: number): void {
    const found = this.#namespaces.get(folded);
    if (found === undefined) return;
    const updatedAt = Math.max(found.updatedAt, at);
    this.#namespaces.set(folded, { ...found, repoCount: found.repoCount + difference, updatedAt });
  }

  #remove(repo: StoredRepo, at: number, remembered: boolean): DeletedRepo {
    const { id, name, inNamespace } = repo;
    const jurisdiction = this.#namespaces.get(inNamespace)?.jurisdiction ?? '';
    const deleted = {
      id,
      jurisdiction,
      deletedAt: at,
      packs: [],
      record: repo.status === 'ready' ? this.#record(repo) : undefined,
      names: namesOf(inNamespace, name),
      remembered,
      due: at,
    };
    this.#repos.delete(id);
    this.#ids.get(inNamespace)?.delete(foldName(name));
    this.#bytes -= repo.bytes;
    for (const token of this.#tokens.values()) if (token.repo === id) this.#tokens.delete(token.id);
    this.#count(inNamespace, -1, at);
    this.#deleted.set(id, deleted);
    return deletion(deleted);
  }

  #record({ inNamespace, bytes: _bytes, ...repo }: StoredRepo): RepoRecord {
    const { name: namespace, jurisdiction } = this.#namespaces.get(inNamespace) as NamespaceRecord;
    return { ...repo, namespace, jurisdiction };
  }
}

function namesOf(namespace: string, name: string): string {
  return JSON.stringify([foldName(namespace), foldName(name)]);
}

function deletion({ id, jurisdiction, deletedAt, packs, record }: StoredDeletion): DeletedRepo {
  return { id, jurisdiction, deletedAt, packs, record };
}

/** Cuts a slice from a list. Ties are ascending in either direction (REPO-115). */
function cut<T>(rows: readonly T[], place: (row: T) => Place, direction: 'asc' | 'desc', slice: Slice): T[] {
  const order = (a: Place, b: Place): number =>
    (direction === 'asc' ? 1 : -1) * compare(a.key, b.key) || compare(a.tie, b.tie);
  const sorted = rows.map((row) => ({ row, at: place(row) })).sort((a, b) => order(a.at, b.at));
  const { after, offset = 0, limit } = slice;
  const start = after === undefined ? offset : sorted.findIndex(({ at }) => order(at, after) > 0);
  return start < 0 ? [] : sorted.slice(start, start + limit).map(({ row }) => row);
}

/** Lower-case names are ASCII, so UTF-16 order equals byte order. */
function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
