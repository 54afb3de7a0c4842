import {
  foldName,
  type ApiTokenList,
  type ApiTokenPart,
  type ApiTokenRecord,
  type ApiTokenStore,
  type ApiTokenStores,
  type TokenReach,
} from '@packhouse/hosting';
import { durablePort, type SqlDriver, type SqlValue } from '@packhouse/base';
import {
  apiTokenColumns,
  apiTokenCondition,
  apiTokenOf,
  apiTokenValues,
  apiTokenWritten,
  droppedApiTokensMax,
  type ApiTokenRow,
} from '../../catalog/api-token-row.ts';

/** Opens API tokens in a database with the tables of `catalogMigrations`, without I/O. */
export function sqlApiTokens(driver: SqlDriver): ApiTokenStores {
  return (account) => durablePort<ApiTokenStore>(new SqlApiTokens(driver, account), driver);
}

/** Reaches as a JSON parameter. */
const reached = `EXISTS (SELECT 1 FROM json_each(?) AS reach WHERE
  (json_extract(reach.value, '$.namespace') IS NULL OR json_extract(reach.value, '$.namespace') = folded)
  AND (json_extract(reach.value, '$.repo') IS NULL OR json_extract(reach.value, '$.repo') = repo_id))`;

class SqlApiTokens implements ApiTokenStore {
  readonly #driver: SqlDriver;
  readonly #account: string;

  constructor(driver: SqlDriver, account: string) {
    this.#driver = driver;
    this.#account = account;
  }

  async add(
    token: ApiTokenRecord,
    { max, history }: { max: number; history: number },
  ): ReturnType<ApiTokenStore['add']> {
    const at = token.createdAt;
    return this.#driver.transaction(() => {
      if (this.#ids('id = ?', token.id).length > 0) return 'added';
      const active = apiTokenCondition('active', '?');
      const isOwn = token.createdBy === null;
      if (!isOwn && this.#ids(`id = ? AND ${active}`, token.createdBy, at).length === 0) return 'creator ended';
      if (this.#count(active, at) >= max) return 'full';
      const values = apiTokenValues(this.#account, token, token.namespace === null ? null : foldName(token.namespace));
      this.#driver.run(
        `INSERT INTO api_tokens (${apiTokenWritten}) VALUES (${values.map(() => '?').join(', ')})`,
        ...values,
      );
      this.#driver.run(
        `DELETE FROM api_tokens WHERE account = ?1 AND id IN (
           SELECT id FROM api_tokens WHERE account = ?1 AND (revoked_at IS NOT NULL OR expires_at <= ?2)
           ORDER BY created_at DESC, id LIMIT ?3 OFFSET ?4)`,
        this.#account,
        at,
        droppedApiTokensMax,
        history,
      );
      return 'added';
    });
  }

  async find(secretHash: string): Promise<ApiTokenRecord | undefined> {
    const [row] = this.#driver.all<ApiTokenRow>(
      `SELECT ${apiTokenColumns} FROM api_tokens WHERE account = ? AND secret_hash = ?`,
      this.#account,
      secretHash,
    );
    return row && apiTokenOf(row);
  }

  async list({ state, at, within, limit, offset }: ApiTokenList): Promise<ApiTokenPart> {
    const where = `${apiTokenCondition(state, '?')} AND ${reached}`;
    const given = [at, JSON.stringify(within)];
    return this.#driver.transaction(() => {
      const rows = this.#driver.all<ApiTokenRow>(
        `SELECT ${apiTokenColumns} FROM api_tokens WHERE account = ? AND ${where}
         ORDER BY created_at DESC, id LIMIT ? OFFSET ?`,
        this.#account,
        ...given,
        limit,
        offset,
      );
      return { tokens: rows.map(apiTokenOf), total: this.#count(where, ...given) };
    }, 'read');
  }

  async revoke(id: string, at: number, within: readonly TokenReach[]): ReturnType<ApiTokenStore['revoke']> {
    return this.#driver.transaction(() => {
      if (this.#ids(`id = ? AND ${reached}`, id, JSON.stringify(within)).length === 0) return 'unknown';
      if (this.#ids(`id = ? AND ${apiTokenCondition('active', '?')}`, id, at).length === 0) return 'ended';
      this.#revoke(
        at,
        `id IN (WITH RECURSIVE family (id) AS (
           SELECT ? UNION SELECT t.id FROM api_tokens AS t JOIN family ON t.account = ? AND t.created_by = family.id)
         SELECT id FROM family)`,
        id,
        this.#account,
      );
      return 'revoked';
    });
  }

  async revokeRepo(repo: string, at: number): Promise<void> {
    this.#revoke(at, 'repo_id = ?', repo);
  }

  #revoke(at: number, where: string, ...given: readonly SqlValue[]): void {
    revokeApiTokens(this.#driver, this.#account, at, where, ...given);
  }

  #ids(where: string, ...given: readonly SqlValue[]): readonly unknown[] {
    return this.#driver.all(`SELECT id FROM api_tokens WHERE account = ? AND ${where}`, this.#account, ...given);
  }

  #count(where: string, ...given: readonly SqlValue[]): number {
    const [row] = this.#driver.all<{ total: number }>(
      `SELECT count(*) AS total FROM api_tokens WHERE account = ? AND ${where}`,
      this.#account,
      ...given,
    );
    return row?.total ?? 0;
  }
}

/** Revokes the active ones of these tokens. */
export function revokeApiTokens(
  driver: SqlDriver,
  account: string,
  at: number,
  where: string,
  ...given: readonly SqlValue[]
): void {
  driver.run(
    `UPDATE api_tokens SET revoked_at = ? WHERE account = ? AND ${apiTokenCondition('active', '?')} AND ${where}`,
    at,
    account,
    at,
    ...given,
  );
}
