import type { PackId } from '@packhouse/git';
import {
  type Catalog,
  type DeletedRepo,
  type DeleteOutcome,
  type NamespaceRecord,
  type NewRepo,
  type RepoContent,
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
import { durablePort, type SqlDriver } from '@packhouse/base';
import { deletionOf } from '../../catalog/deleted-row.ts';
import { SqlDeleted } from './deleted.ts';
import { SqlNamespaces } from './namespaces.ts';
import { SqlRepos } from './repos.ts';

/**
 * Opens the catalog of an account in a database with the tables of `catalogMigrations`, without I/O. Every method is
 * one transaction or statement, so any number of connections and processes may share the database.
 */
export function sqlCatalog(driver: SqlDriver, account: string): Catalog {
  return durablePort<Catalog>(new SqlCatalog(driver, account), driver);
}

class SqlCatalog implements Catalog {
  readonly #driver: SqlDriver;
  readonly #account: string;
  readonly #namespaces: SqlNamespaces;
  readonly #repos: SqlRepos;
  readonly #deleted: SqlDeleted;

  constructor(driver: SqlDriver, account: string) {
    this.#driver = driver;
    this.#account = account;
    this.#namespaces = new SqlNamespaces(driver, account);
    this.#repos = new SqlRepos(driver, account);
    this.#deleted = new SqlDeleted(driver, account);
  }

  async createNamespace(name: string, jurisdiction: string, at: number): Promise<'created' | 'exists'> {
    return this.#namespaces.add(name, jurisdiction, at) ? 'created' : 'exists';
  }

  async namespace(name: string): Promise<NamespaceRecord | undefined> {
    return this.#namespaces.find(name);
  }

  async namespaces(slice: Slice): Promise<readonly NamespaceRecord[]> {
    return this.#namespaces.list(slice);
  }

  async countNamespaces(): Promise<number> {
    return this.#namespaces.total();
  }

  async deleteNamespace(name: string, at: number): Promise<'deleted' | 'missing' | 'not empty'> {
    return this.#namespaces.remove(name, at);
  }

  async reserveRepo(repo: NewRepo, token: TokenLine): Promise<ReserveOutcome> {
    const reserve = (): ReserveOutcome => {
      if (this.#repos.byName(repo.namespace, repo.name) !== undefined) return { kind: 'exists' };
      this.#namespaces.add(repo.namespace, 'unrestricted', repo.createdAt);
      this.#repos.add(repo);
      this.#namespaces.count(foldName(repo.namespace), 1, repo.createdAt);
      this.#insertToken(repo.id, token);
      return { kind: 'reserved', repo: this.#repos.byId(repo.id) as RepoRecord };
    };
    return this.#driver.transaction(reserve, 'lazy');
  }

  async publishRepo(id: string, found?: RepoContent): Promise<boolean> {
    return this.#driver.transaction(() => this.#repos.publish(id, found));
  }

  async renewRepo(id: string, at: number): Promise<boolean> {
    return this.#repos.renew(id, at);
  }

  async repo(namespace: string, name: string): Promise<RepoRecord | undefined> {
    return this.#repos.byName(namespace, name);
  }

  async repoById(id: string): Promise<RepoRecord | undefined> {
    return this.#repos.byId(id);
  }

  async repos(namespace: string, list: RepoList, slice: Slice): Promise<readonly RepoRecord[]> {
    return this.#repos.list(namespace, list, slice);
  }

  async countRepos(namespace: string, search: string): Promise<number> {
    return search === '' ? (this.#namespaces.find(namespace)?.repoCount ?? 0) : this.#repos.total(namespace, search);
  }

  async deleteRepo(
    namespace: string,
    name: string,
    at: number,
    rememberedSince: number,
    within?: readonly string[],
  ): Promise<DeleteOutcome> {
    return this.#driver.transaction((): DeleteOutcome => {
      const found = this.#repos.byName(namespace, name);
      if (found !== undefined && within?.includes(found.id) === false) return { kind: 'missing' };
      if (found !== undefined) return { kind: 'deleted', repo: this.#remove(found, at, true), erased: false };
      const names = { namespace: foldName(namespace), folded: foldName(name) };
      const remembered = this.#deleted.remembered(names, rememberedSince);
      return remembered === undefined ? { kind: 'missing' } : { kind: 'remembered', ...remembered };
    });
  }

  async updateRepo(id: string, update: RepoUpdate): Promise<UpdateOutcome> {
    return this.#driver.transaction((): UpdateOutcome => {
      const found = this.#repos.byId(id);
      if (found === undefined || found.status !== 'ready') return { kind: 'missing' };
      if (found.revision !== update.revision || found.unsettled !== null) return { kind: 'stale' };
      const other = this.#repos.byName(found.namespace, update.name);
      if (other !== undefined && other.id !== id) return { kind: 'exists' };
      this.#repos.update(id, update);
      return { kind: 'updated', repo: this.#repos.byId(id) as RepoRecord };
    });
  }

  async settleRepo(id: string, revision: number): Promise<RepoRecord | undefined> {
    return this.#driver.transaction(() => {
      this.#repos.settle(id, revision);
      return this.#repos.byId(id);
    });
  }

  async unsettled(): Promise<readonly RepoRecord[]> {
    return this.#repos.unsettled();
  }

  async dropRepo(id: string, at: number): Promise<DeletedRepo | undefined> {
    return this.#driver.transaction(() => {
      const found = this.#repos.byId(id);
      return found === undefined || found.status === 'ready' ? undefined : this.#remove(found, at, false);
    });
  }

  async unfinished(before: number): Promise<readonly RepoRecord[]> {
    return this.#repos.unfinished(before);
  }

  async dueErasures(at: number): Promise<readonly DeletedRepo[]> {
    return this.#deleted.due(at);
  }

  async notePacks(id: string, packs: readonly PackId[]): Promise<void> {
    this.#deleted.notePacks(id, packs);
  }

  async setErasureDue(id: string, due: number | null): Promise<void> {
    this.#deleted.setDue(id, due);
  }

  async forgetErased(before: number): Promise<void> {
    this.#deleted.forget(before);
  }

  async addToken(repo: string, token: TokenLine, at: number, history: number): Promise<boolean> {
    return this.#driver.transaction(() => {
      if (this.#repos.byId(repo) === undefined) return false;
      this.#insertToken(repo, token);
      this.#driver.run(
        `DELETE FROM catalog_tokens WHERE account = ?1 AND id IN (
           SELECT id FROM catalog_tokens WHERE account = ?1 AND repo_id = ?2 AND expires_at <= ?3
           ORDER BY created_at DESC, id LIMIT -1 OFFSET ?4)`,
        this.#account,
        repo,
        at,
        history,
      );
      return true;
    });
  }

  async dropTokens(ids: readonly string[]): Promise<void> {
    this.#driver.run(
      'DELETE FROM catalog_tokens WHERE account = ? AND id IN (SELECT value FROM json_each(?))',
      this.#account,
      JSON.stringify(ids),
    );
  }

  async tokenRepo(token: string): Promise<RepoRecord | undefined> {
    const [row] = this.#driver.all<{ repo_id: string }>(
      'SELECT repo_id FROM catalog_tokens WHERE account = ? AND id = ?',
      this.#account,
      token,
    );
    return row && this.#repos.byId(row.repo_id);
  }

  async touch(repo: string, push: Touch): Promise<void> {
    // The state of the repo has the same, durably, and the hourly walk brings it here again.
    this.#driver.transaction(() => this.#repos.touch(repo, push), 'lazy');
  }

  async storedBytes(): Promise<number> {
    return this.#repos.storedBytes();
  }

  #insertToken(repo: string, token: TokenLine): void {
    this.#driver.run(
      'INSERT INTO catalog_tokens (account, id, repo_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?)',
      this.#account,
      token.id,
      repo,
      token.createdAt,
      token.expiresAt,
    );
  }

  #remove(repo: RepoRecord, at: number, remembered: boolean): DeletedRepo {
    const deleted = deletionOf(repo, at);
    const names = { namespace: foldName(repo.namespace), folded: foldName(repo.name) };
    this.#repos.remove(repo.id);
    this.#namespaces.count(names.namespace, -1, at);
    this.#deleted.add(names, deleted, remembered);
    return deleted;
  }
}
