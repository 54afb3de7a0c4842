import {
  type NewRepo,
  type RepoContent,
  type RepoList,
  type RepoRecord,
  type RepoUpdate,
  type Slice,
  type Touch,
  foldName,
} from '@packhouse/hosting';
import type { SqlDriver, SqlValue } from '@packhouse/base';
import { repoOf, type RepoRow, sortColumns } from '../../catalog/repo-row.ts';

/** Reads the description as bytes, since it may contain any character ({@link SqlValue}). */
const select = `SELECT r.id, n.name AS namespace, n.jurisdiction, r.name, CAST(r.description AS BLOB) AS description,
    r.default_branch, r.read_only, r.source, r.status, r.created_at, r.updated_at, r.last_push_at, r.version,
    r.parent_id, r.root_id, r.revision, r.unsettled
  FROM catalog_repos AS r CROSS JOIN catalog_namespaces AS n ON n.account = r.account AND n.folded = r.namespace
  WHERE r.account = ?`;

/** Repos of one account in SQL. */
export class SqlRepos {
  readonly #driver: SqlDriver;
  readonly #account: string;

  constructor(driver: SqlDriver, account: string) {
    this.#driver = driver;
    this.#account = account;
  }

  byName(namespace: string, name: string): RepoRecord | undefined {
    return this.#rows('AND r.namespace = ? AND r.folded = ?', foldName(namespace), foldName(name))[0];
  }

  byId(id: string): RepoRecord | undefined {
    return this.#rows('AND r.id = ?', id)[0];
  }

  unfinished(before: number): RepoRecord[] {
    return this.#rows("AND r.status <> 'ready' AND r.updated_at < ?", before);
  }

  add(repo: NewRepo): void {
    this.#driver.run(
      `INSERT INTO catalog_repos (account, id, namespace, folded, name, description, default_branch, read_only, source,
         status, created_at, updated_at, last_push_at, bytes, version, parent_id, root_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?11, ?11, -1, 0, 0, ?12, ?13)`,
      this.#account,
      repo.id,
      foldName(repo.namespace),
      foldName(repo.name),
      repo.name,
      repo.description,
      repo.defaultBranch,
      repo.readOnly ? 1 : 0,
      repo.source,
      repo.status,
      repo.createdAt,
      repo.parentId,
      repo.rootId,
    );
  }

  publish(id: string, found: RepoContent | undefined): boolean {
    const published = this.#driver.run(
      `UPDATE catalog_repos SET status = 'ready', default_branch = coalesce(?, default_branch),
         updated_at = max(updated_at, ?) WHERE account = ? AND id = ?`,
      found?.defaultBranch ?? null,
      found?.at ?? 0,
      this.#account,
      id,
    );
    if (published > 0 && found !== undefined) this.#setBytes(id, found);
    return published > 0;
  }

  /** Stores an update, unsettled, and the new source of the forks. */
  update(
    id: string,
    { name, description, defaultBranch, readOnly, revision, at, forkSource, events }: RepoUpdate,
  ): void {
    this.#driver.run(
      `UPDATE catalog_repos SET folded = ?, name = ?, description = ?, default_branch = ?, read_only = ?, revision = ?,
         unsettled = ?, updated_at = max(updated_at, ?) WHERE account = ? AND id = ?`,
      foldName(name),
      name,
      description,
      defaultBranch,
      readOnly ? 1 : 0,
      revision + 1,
      JSON.stringify(events),
      at,
      this.#account,
      id,
    );
    this.#driver.run(
      'UPDATE catalog_repos SET source = ?1 WHERE account = ?2 AND parent_id = ?3 AND source IS NOT ?1',
      forkSource,
      this.#account,
      id,
    );
  }

  settle(id: string, revision: number): void {
    this.#driver.run(
      'UPDATE catalog_repos SET unsettled = NULL WHERE account = ? AND id = ? AND revision = ?',
      this.#account,
      id,
      revision,
    );
  }

  unsettled(): RepoRecord[] {
    return this.#rows('AND r.unsettled IS NOT NULL');
  }

  /** Records a sign of life. A ready repo ignores a late one (REPO-057). */
  renew(id: string, at: number): boolean {
    const renewed = this.#driver.run(
      `UPDATE catalog_repos SET updated_at = CASE status WHEN 'ready' THEN updated_at ELSE max(updated_at, ?) END
       WHERE account = ? AND id = ?`,
      at,
      this.#account,
      id,
    );
    return renewed > 0;
  }

  /** Removes a repo with its tokens. */
  remove(id: string): void {
    this.#addBytes(-(this.stored(id)?.bytes ?? 0));
    this.#driver.run('DELETE FROM catalog_repos WHERE account = ? AND id = ?', this.#account, id);
  }

  list(namespace: string, { search, sort, direction }: RepoList, { limit, after, offset }: Slice): RepoRecord[] {
    const column = sortColumns[sort];
    const where = search === '' ? 'AND r.namespace = ?' : 'AND r.namespace = ? AND instr(r.folded, ?) > 0';
    const common = search === '' ? [foldName(namespace)] : [foldName(namespace), foldName(search)];
    const order = `ORDER BY ${column} ${direction === 'asc' ? 'ASC' : 'DESC'}, r.id LIMIT ? OFFSET ?`;
    if (after === undefined) return this.#rows(`${where} ${order}`, ...common, limit, offset ?? 0);
    // Reads two index ranges: the rest of the ties, then later ones.
    const ties = this.#rows(
      `${where} AND ${column} = ? AND r.id > ? ${order}`,
      ...common,
      after.key,
      after.tie,
      limit,
      0,
    );
    const rest = limit - ties.length;
    if (rest <= 0) return ties;
    const beyond = direction === 'asc' ? '>' : '<';
    return [...ties, ...this.#rows(`${where} AND ${column} ${beyond} ? ${order}`, ...common, after.key, rest, 0)];
  }

  total(namespace: string, search: string): number {
    const [row] = this.#driver.all<{ total: number }>(
      `SELECT count(*) AS total FROM catalog_repos WHERE account = ? AND namespace = ? AND instr(folded, ?) > 0`,
      this.#account,
      foldName(namespace),
      foldName(search),
    );
    return row?.total ?? 0;
  }

  touch(id: string, { pushedAt, bytes, version }: Touch): void {
    this.#driver.run(
      `UPDATE catalog_repos SET last_push_at = max(last_push_at, ?1), updated_at = max(updated_at, ?1)
       WHERE account = ?2 AND id = ?3`,
      pushedAt ?? -1,
      this.#account,
      id,
    );
    this.#setBytes(id, { bytes, version });
  }

  storedBytes(): number {
    const [row] = this.#driver.all<{ stored_bytes: number }>(
      'SELECT stored_bytes FROM catalog_accounts WHERE account = ?',
      this.#account,
    );
    return row?.stored_bytes ?? 0;
  }

  /** Returns the stored bytes of a repo, and the version of the state that reported them. */
  stored(id: string): Pick<Touch, 'bytes' | 'version'> | undefined {
    return this.#driver.all<Pick<Touch, 'bytes' | 'version'>>(
      'SELECT bytes, version FROM catalog_repos WHERE account = ? AND id = ?',
      this.#account,
      id,
    )[0];
  }

  #setBytes(id: string, { bytes, version }: Pick<Touch, 'bytes' | 'version'>): void {
    const before = this.stored(id);
    const changed = this.#driver.run(
      'UPDATE catalog_repos SET bytes = ?1, version = ?2 WHERE account = ?3 AND id = ?4 AND version < ?2',
      bytes,
      version,
      this.#account,
      id,
    );
    if (changed > 0) this.#addBytes(bytes - (before?.bytes ?? 0));
  }

  #addBytes(difference: number): void {
    if (difference === 0) return;
    this.#driver.run(
      `INSERT INTO catalog_accounts (account, stored_bytes) VALUES (?1, ?2)
       ON CONFLICT (account) DO UPDATE SET stored_bytes = stored_bytes + ?2`,
      this.#account,
      difference,
    );
  }

  #rows(conditions: string, ...parameters: readonly SqlValue[]): RepoRecord[] {
    return this.#driver.all<RepoRow>(`${select} ${conditions}`, this.#account, ...parameters).map(repoOf);
  }
}
