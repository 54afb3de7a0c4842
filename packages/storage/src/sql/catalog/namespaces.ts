import { type NamespaceRecord, type Slice, foldName } from '@packhouse/hosting';
import type { SqlDriver } from '@packhouse/base';
import { namespaceColumns, namespaceOf, type NamespaceRow } from '../../catalog/namespace-row.ts';
import { revokeApiTokens } from './api-tokens.ts';

/** Namespaces of one account in SQL. */
export class SqlNamespaces {
  readonly #driver: SqlDriver;
  readonly #account: string;

  constructor(driver: SqlDriver, account: string) {
    this.#driver = driver;
    this.#account = account;
  }

  find(name: string): NamespaceRecord | undefined {
    const [row] = this.#driver.all<NamespaceRow>(
      `SELECT ${namespaceColumns} FROM catalog_namespaces WHERE account = ? AND folded = ?`,
      this.#account,
      foldName(name),
    );
    return row && namespaceOf(row);
  }

  /** Returns false if the namespace exists. */
  add(name: string, jurisdiction: string, at: number): boolean {
    const added = this.#driver.run(
      `INSERT INTO catalog_namespaces (account, folded, name, jurisdiction, repo_count, created_at, updated_at)
       VALUES (?1, ?2, ?3, ?4, 0, ?5, ?5) ON CONFLICT (account, folded) DO NOTHING`,
      this.#account,
      foldName(name),
      name,
      jurisdiction,
      at,
    );
    return added > 0;
  }

  /** Changes the number of repos, and thus `updated_at` (REPO-106). */
  count(folded: string, difference: 1 | -1, at: number): void {
    this.#driver.run(
      `UPDATE catalog_namespaces SET repo_count = repo_count + ?, updated_at = max(updated_at, ?)
       WHERE account = ? AND folded = ?`,
      difference,
      at,
      this.#account,
      folded,
    );
  }

  /** Also revokes its API tokens: a later namespace of that name is another one. */
  remove(name: string, at: number): 'deleted' | 'missing' | 'not empty' {
    return this.#driver.transaction(() => {
      const found = this.find(name);
      if (found === undefined) return 'missing';
      if (found.repoCount > 0) return 'not empty';
      this.#driver.run(
        'DELETE FROM catalog_namespaces WHERE account = ? AND folded = ?',
        this.#account,
        foldName(name),
      );
      revokeApiTokens(this.#driver, this.#account, at, 'folded = ?', foldName(name));
      return 'deleted';
    });
  }

  /** Newest first, ties by lower-case name. */
  list({ limit, after, offset }: Slice): NamespaceRecord[] {
    const select = `SELECT ${namespaceColumns} FROM catalog_namespaces WHERE account = ?`;
    const order = 'ORDER BY created_at DESC, folded LIMIT ? OFFSET ?';
    if (after === undefined) {
      return this.#driver.all<NamespaceRow>(`${select} ${order}`, this.#account, limit, offset ?? 0).map(namespaceOf);
    }
    // Reads two index ranges: the rest of the ties, then older ones.
    const ties = this.#driver.all<NamespaceRow>(
      `${select} AND created_at = ? AND folded > ? ${order}`,
      this.#account,
      after.key,
      after.tie,
      limit,
      0,
    );
    const rest = limit - ties.length;
    const older =
      rest > 0
        ? this.#driver.all<NamespaceRow>(`${select} AND created_at < ? ${order}`, this.#account, after.key, rest, 0)
        : [];
    return [...ties, ...older].map(namespaceOf);
  }

  total(): number {
    const [row] = this.#driver.all<{ total: number }>(
      'SELECT count(*) AS total FROM catalog_namespaces WHERE account = ?',
      this.#account,
    );
    return row?.total ?? 0;
  }
}
