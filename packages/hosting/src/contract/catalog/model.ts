import type { PackId } from '@packhouse/git';
import type {
  Catalog,
  DeletedRepo,
  DeleteOutcome,
  NamespaceRecord,
  NewRepo,
  RepoContent,
  RepoList,
  RepoRecord,
  RepoUpdate,
  ReserveOutcome,
  Slice,
  TokenLine,
  Touch,
  UpdateOutcome,
} from '../../ports/catalog.ts';

interface Deleted {
  repo: DeletedRepo;
  readonly names: string;
  readonly remembered: boolean;
  due: number | null;
}

/**
 * A naive catalog: lists that are scanned from end to end. Adapters are compared with it, so it has no optimisation
 * that could be wrong. Lists are cut only by `limit`.
 */
export class CatalogModel implements Catalog {
  #namespaces: NamespaceRecord[] = [];
  #repos: (RepoRecord & { readonly bytes: number })[] = [];
  #tokens: (TokenLine & { readonly repo: string })[] = [];
  #deleted: Deleted[] = [];

  async createNamespace(name: string, jurisdiction: string, at: number): Promise<'created' | 'exists'> {
    if (this.#namespaces.some((one) => same(one.name, name))) return 'exists';
    this.#namespaces.push({ name, jurisdiction, repoCount: 0, createdAt: at, updatedAt: at });
    return 'created';
  }

  async namespace(name: string): Promise<NamespaceRecord | undefined> {
    return this.#namespaces.find((one) => same(one.name, name));
  }

  async namespaces({ limit }: Slice): Promise<readonly NamespaceRecord[]> {
    return this.#namespaces
      .toSorted((a, b) => b.createdAt - a.createdAt || compare(a.name.toLowerCase(), b.name.toLowerCase()))
      .slice(0, limit);
  }

  async countNamespaces(): Promise<number> {
    return this.#namespaces.length;
  }

  async deleteNamespace(name: string): Promise<'deleted' | 'missing' | 'not empty'> {
    const found = await this.namespace(name);
    if (found === undefined) return 'missing';
    if (this.#repos.some((repo) => same(repo.namespace, name))) return 'not empty';
    this.#namespaces = this.#namespaces.filter((one) => one !== found);
    return 'deleted';
  }

  async reserveRepo(repo: NewRepo, token: TokenLine): Promise<ReserveOutcome> {
    if ((await this.repo(repo.namespace, repo.name)) !== undefined) return { kind: 'exists' };
    await this.createNamespace(repo.namespace, 'unrestricted', repo.createdAt);
    const { name: namespace, jurisdiction } = (await this.namespace(repo.namespace)) as NamespaceRecord;
    const more = {
      namespace,
      jurisdiction,
      updatedAt: repo.createdAt,
      lastPushAt: null,
      version: 0,
      revision: 0,
      unsettled: null,
    };
    this.#repos.push({ ...repo, ...more, bytes: 0 });
    this.#count(namespace, repo.createdAt);
    this.#tokens.push({ ...token, repo: repo.id });
    return { kind: 'reserved', repo: { ...repo, ...more } };
  }

  async publishRepo(id: string, found?: RepoContent): Promise<boolean> {
    return this.#change(id, (repo) => ({
      ...repo,
      status: 'ready',
      ...(found && { defaultBranch: found.defaultBranch, updatedAt: Math.max(repo.updatedAt, found.at) }),
      ...(found && found.version > repo.version && { bytes: found.bytes, version: found.version }),
    }));
  }

  async renewRepo(id: string, at: number): Promise<boolean> {
    return this.#change(id, (repo) =>
      repo.status === 'ready' ? repo : { ...repo, updatedAt: Math.max(repo.updatedAt, at) },
    );
  }

  async repo(namespace: string, name: string): Promise<RepoRecord | undefined> {
    return shown(this.#repos.find((repo) => same(repo.namespace, namespace) && same(repo.name, name)));
  }

  async repoById(id: string): Promise<RepoRecord | undefined> {
    return shown(this.#repos.find((repo) => repo.id === id));
  }

  async repos(namespace: string, list: RepoList, { limit }: Slice): Promise<readonly RepoRecord[]> {
    const key = ({ createdAt, updatedAt, lastPushAt, name }: RepoRecord): number | string =>
      ({ created_at: createdAt, updated_at: updatedAt, last_push_at: lastPushAt ?? -1, name: name.toLowerCase() })[
        list.sort
      ];
    const sign = list.direction === 'asc' ? 1 : -1;
    return this.#repos
      .filter((repo) => same(repo.namespace, namespace) && contains(repo.name, list.search))
      .toSorted((a, b) => sign * compare(key(a), key(b)) || compare(a.id, b.id))
      .slice(0, limit)
      .map((repo) => shown(repo) as RepoRecord);
  }

  async countRepos(namespace: string, search: string): Promise<number> {
    return this.#repos.filter((repo) => same(repo.namespace, namespace) && contains(repo.name, search)).length;
  }

  async deleteRepo(namespace: string, name: string, at: number, rememberedSince: number): Promise<DeleteOutcome> {
    const found = await this.repo(namespace, name);
    if (found !== undefined) return { kind: 'deleted', repo: this.#remove(found, at, true), erased: false };
    const [last] = this.#deleted
      .filter((one) => one.remembered && same(one.names, `${namespace}/${name}`))
      .filter((one) => one.repo.deletedAt > rememberedSince)
      .toSorted((a, b) => b.repo.deletedAt - a.repo.deletedAt || compare(a.repo.id, b.repo.id));
    if (last === undefined) return { kind: 'missing' };
    return { kind: 'remembered', repo: last.repo, erased: last.due === null || last.due > last.repo.deletedAt };
  }

  async updateRepo(id: string, { revision, at, forkSource, events, ...values }: RepoUpdate): Promise<UpdateOutcome> {
    const found = await this.repoById(id);
    if (found?.status !== 'ready') return { kind: 'missing' };
    if (found.revision !== revision || found.unsettled !== null) return { kind: 'stale' };
    const other = await this.repo(found.namespace, values.name);
    if (other !== undefined && other.id !== id) return { kind: 'exists' };
    const updatedAt = Math.max(found.updatedAt, at);
    this.#change(id, (repo) => ({ ...repo, ...values, revision: revision + 1, unsettled: events, updatedAt }));
    this.#repos = this.#repos.map((repo) => (repo.parentId === id ? { ...repo, source: forkSource } : repo));
    return { kind: 'updated', repo: (await this.repoById(id)) as RepoRecord };
  }

  async settleRepo(id: string, revision: number): Promise<RepoRecord | undefined> {
    this.#change(id, (repo) => (repo.revision === revision ? { ...repo, unsettled: null } : repo));
    return this.repoById(id);
  }

  async unsettled(): Promise<readonly RepoRecord[]> {
    return this.#repos.filter((repo) => repo.unsettled !== null).map((repo) => shown(repo) as RepoRecord);
  }

  async dropRepo(id: string, at: number): Promise<DeletedRepo | undefined> {
    const found = await this.repoById(id);
    return found === undefined || found.status === 'ready' ? undefined : this.#remove(found, at, false);
  }

  async unfinished(before: number): Promise<readonly RepoRecord[]> {
    const found = this.#repos.filter((repo) => repo.status !== 'ready' && repo.updatedAt < before);
    return found.map((repo) => shown(repo) as RepoRecord);
  }

  async dueErasures(at: number): Promise<readonly DeletedRepo[]> {
    return this.#deleted.filter(({ due }) => due !== null && due <= at).map(({ repo }) => repo);
  }

  async notePacks(id: string, packs: readonly PackId[]): Promise<void> {
    for (const one of this.#deleted) if (one.repo.id === id) one.repo = { ...one.repo, packs };
  }

  async setErasureDue(id: string, due: number | null): Promise<void> {
    for (const one of this.#deleted) if (one.repo.id === id) one.due = due;
  }

  async forgetErased(before: number): Promise<void> {
    this.#deleted = this.#deleted.filter(({ due, repo }) => due !== null || repo.deletedAt >= before);
  }

  async addToken(repo: string, token: TokenLine, at: number, history: number): Promise<boolean> {
    if ((await this.repoById(repo)) === undefined) return false;
    this.#tokens.push({ ...token, repo });
    const ended = this.#tokens
      .filter((one) => one.repo === repo && one.expiresAt <= at)
      .toSorted((a, b) => b.createdAt - a.createdAt || compare(a.id, b.id));
    await this.dropTokens(ended.slice(history).map(({ id }) => id));
    return true;
  }

  async dropTokens(ids: readonly string[]): Promise<void> {
    this.#tokens = this.#tokens.filter(({ id }) => !ids.includes(id));
  }

  async tokenRepo(token: string): Promise<RepoRecord | undefined> {
    const found = this.#tokens.find(({ id }) => id === token);
    return found && this.repoById(found.repo);
  }

  async touch(id: string, { pushedAt, bytes, version }: Touch): Promise<void> {
    this.#change(id, (repo) => ({
      ...repo,
      ...(pushedAt !== null && {
        updatedAt: Math.max(repo.updatedAt, pushedAt),
        lastPushAt: Math.max(repo.lastPushAt ?? -1, pushedAt),
      }),
      ...(version > repo.version && { bytes, version }),
    }));
  }

  async storedBytes(): Promise<number> {
    return this.#repos.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #change(id: string, change: (repo: RepoRecord & { bytes: number }) => RepoRecord & { bytes: number }): boolean {
    const before = this.#repos;
    this.#repos = before.map((repo) => (repo.id === id ? change(repo) : repo));
    return before.some((repo) => repo.id === id);
  }

  #remove(repo: RepoRecord, at: number, remembered: boolean): DeletedRepo {
    const { id, jurisdiction, namespace, name } = repo;
    const record = repo.status === 'ready' ? repo : undefined;
    const deleted = { id, jurisdiction, deletedAt: at, packs: [], record };
    this.#repos = this.#repos.filter((one) => one.id !== id);
    this.#tokens = this.#tokens.filter((one) => one.repo !== id);
    this.#count(namespace, at);
    this.#deleted.push({ repo: deleted, names: `${namespace}/${name}`, remembered, due: at });
    return deleted;
  }

  #count(namespace: string, at: number): void {
    const repoCount = this.#repos.filter((repo) => same(repo.namespace, namespace)).length;
    this.#namespaces = this.#namespaces.map((one) =>
      same(one.name, namespace) ? { ...one, repoCount, updatedAt: Math.max(one.updatedAt, at) } : one,
    );
  }
}

function shown(repo: (RepoRecord & { readonly bytes: number }) | undefined): RepoRecord | undefined {
  if (repo === undefined) return undefined;
  const { bytes: _bytes, ...record } = repo;
  return record;
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const contains = (name: string, part: string): boolean => name.toLowerCase().includes(part.toLowerCase());

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
