import type { Catalog } from '@packhouse/hosting';
import type { PostgresDriver } from '@packhouse/base';

/** Token ids of one account in PostgreSQL. The lock of the repo's row guards the number of its expired tokens. */
export function postgresTokens(driver: PostgresDriver, account: string): Pick<Catalog, 'addToken' | 'dropTokens'> {
  return {
    async addToken(repo, token, at, history) {
      const sent = await driver.transaction(async (session) => ({
        added: session.rows(
          `WITH found AS (
             SELECT id FROM packhouse.catalog_repos WHERE account = $1 AND id = $2 FOR NO KEY UPDATE)
           INSERT INTO packhouse.catalog_tokens (account, id, repo_id, created_at, expires_at)
           SELECT $1, $3, id, $4::bigint, $5::bigint FROM found RETURNING 1`,
          [account, repo, token.id, token.createdAt, token.expiresAt],
        ),
        // Begins after the lock is taken, so it sees the tokens of all that came before.
        dropped: session.rows(
          `DELETE FROM packhouse.catalog_tokens WHERE account = $1 AND id IN (
             SELECT id FROM packhouse.catalog_tokens WHERE account = $1 AND repo_id = $2 AND expires_at <= $3
             ORDER BY created_at DESC, id OFFSET $4)`,
          [account, repo, at, history],
        ),
      }));
      return (await sent.added).length > 0;
    },
    async dropTokens(ids) {
      await driver.rows('DELETE FROM packhouse.catalog_tokens WHERE account = $1 AND id = ANY ($2)', [account, ids]);
    },
  };
}
