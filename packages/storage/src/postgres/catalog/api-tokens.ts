import { foldName, type ApiTokenStores } from '@packhouse/hosting';
import type { PostgresDriver, PostgresSession } from '@packhouse/base';
import {
  apiTokenColumns,
  apiTokenCondition,
  apiTokenOf,
  apiTokenValues,
  apiTokenWritten,
  droppedApiTokensMax,
  type ApiTokenRow,
} from '../../catalog/api-token-row.ts';

/** Reaches as the JSON parameter `$2`. */
const reached = `EXISTS (SELECT FROM jsonb_to_recordset($2::jsonb) AS reach (namespace text, repo text)
  WHERE (reach.namespace IS NULL OR reach.namespace = folded) AND (reach.repo IS NULL OR reach.repo = repo_id))`;

/** Condition: belongs to the account `$1`, and is active at `$2`. */
const active = `account = $1 AND ${apiTokenCondition('active', '$2::int8')}`;

/**
 * Takes the lock that orders creations and revocations of API tokens of an account. The statement after it sees all that
 * earlier holders of the lock have done.
 */
export function lockApiTokens(session: PostgresSession, account: string): Promise<unknown> {
  return session.rows(`SELECT pg_advisory_xact_lock(hashtextextended('packhouse api tokens ' || $1, 0))`, [account]);
}

/**
 * Opens API tokens in PostgreSQL, with the tables of `postgresCatalogMigrations`. By the lock of the account the limit
 * holds, and no token outlives the one that created it.
 */
export function postgresApiTokens(driver: PostgresDriver): ApiTokenStores {
  return (account) => {
    return {
      add: (token, { max, history }) =>
        driver.transaction(async (session) => {
          const at = token.createdAt;
          void lockApiTokens(session, account);
          const [found] = await session.rows<{ isKnown: boolean; isOrphan: boolean; total: number }>(
            `SELECT EXISTS (SELECT FROM packhouse.api_tokens WHERE account = $1 AND id = $3) AS "isKnown",
               $4::text IS NOT NULL
                 AND NOT EXISTS (SELECT FROM packhouse.api_tokens WHERE ${active} AND id = $4) AS "isOrphan",
               (SELECT count(*) FROM packhouse.api_tokens WHERE ${active}) AS total`,
            [account, at, token.id, token.createdBy],
          );
          if (found?.isKnown === true) return 'added';
          if (found?.isOrphan !== false) return 'creator ended';
          if (found.total >= max) return 'full';
          const values = apiTokenValues(account, token, token.namespace === null ? null : foldName(token.namespace));
          void session.rows(
            `INSERT INTO packhouse.api_tokens (${apiTokenWritten})
             VALUES (${values.map((_, index) => `$${index + 1}`).join(', ')})`,
            values,
          );
          void session.rows(
            `DELETE FROM packhouse.api_tokens WHERE account = $1 AND id IN (
               SELECT id FROM packhouse.api_tokens
               WHERE account = $1 AND (revoked_at IS NOT NULL OR expires_at <= $2)
               ORDER BY created_at DESC, id LIMIT $3 OFFSET $4)`,
            [account, at, droppedApiTokensMax, history],
          );
          return 'added';
        }),

      async find(secretHash) {
        const [row] = await driver.rows<ApiTokenRow>(
          `SELECT ${apiTokenColumns} FROM packhouse.api_tokens WHERE account = $1 AND secret_hash = $2`,
          [account, secretHash],
        );
        return row && apiTokenOf(row);
      },

      async list({ state, at, within, limit, offset }) {
        const found = `FROM packhouse.api_tokens
          WHERE account = $1 AND ${reached} AND ${apiTokenCondition(state, '$3::int8')}`;
        const given = [account, JSON.stringify(within), at];
        const { rows, count } = await driver.transaction(
          async (session) => ({
            rows: session.rows<ApiTokenRow>(
              `SELECT ${apiTokenColumns} ${found} ORDER BY created_at DESC, id LIMIT $4 OFFSET $5`,
              [...given, limit, offset],
            ),
            count: session.rows<{ total: number }>(`SELECT count(*) AS total ${found}`, given),
          }),
          'read',
        );
        return { tokens: (await rows).map(apiTokenOf), total: (await count)[0]?.total ?? 0 };
      },

      revoke: (id, at, within) =>
        driver.transaction(async (session) => {
          void lockApiTokens(session, account);
          const [found] = await session.rows<{ isActive: boolean }>(
            `SELECT ${apiTokenCondition('active', '$4::int8')} AS "isActive" FROM packhouse.api_tokens
             WHERE account = $1 AND ${reached} AND id = $3`,
            [account, JSON.stringify(within), id, at],
          );
          if (found === undefined) return 'unknown';
          if (!found.isActive) return 'ended';
          void session.rows(
            `WITH RECURSIVE family (id) AS (
               SELECT $3::text COLLATE "C" UNION
               SELECT t.id FROM packhouse.api_tokens AS t JOIN family ON t.account = $1 AND t.created_by = family.id)
             UPDATE packhouse.api_tokens SET revoked_at = $2 WHERE ${active} AND id IN (SELECT id FROM family)`,
            [account, at, id],
          );
          return 'revoked';
        }),

      revokeRepo: (repo, at) =>
        driver.transaction(async (session) => {
          void lockApiTokens(session, account);
          void session.rows(`UPDATE packhouse.api_tokens SET revoked_at = $2 WHERE ${active} AND repo_id = $3`, [
            account,
            at,
            repo,
          ]);
        }),
    };
  };
}
