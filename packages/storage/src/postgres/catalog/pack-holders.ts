import type { PackId } from '@packhouse/git';
import type { PostgresDriver } from '@packhouse/base';
import type { PackHolders } from '../../packs/holders.ts';

/**
 * Holders of one account in a database with the tables of `postgresCatalogMigrations`. Every method is one transaction.
 * The locks of all holds on a pack order two releases of it, so that the later one is the last.
 */
export function postgresPackHolders(driver: PostgresDriver, account: string): PackHolders {
  return {
    async hold(ids, repos, at) {
      // All statements lock in the order of packs, then repos, so that they do not wait for each other in a circle.
      await driver.rows(
        `INSERT INTO packhouse.pack_holders AS held (account, pack_id, repo_id, held_at)
         SELECT DISTINCT $1, pack, repo, $4::bigint FROM unnest($2::text[]) AS pack, unnest($3::text[]) AS repo
         ORDER BY pack, repo
         ON CONFLICT (account, pack_id, repo_id) DO UPDATE SET held_at = greatest(held.held_at, excluded.held_at)`,
        [account, ids, repos, at],
      );
    },
    async release(ids, repo) {
      const sent = await driver.transaction(async (session) => {
        void session.rows(
          `SELECT count(*) FROM (
             SELECT 1 FROM packhouse.pack_holders WHERE account = $1 AND pack_id = ANY ($2)
             ORDER BY pack_id, repo_id FOR UPDATE) AS locked`,
          [account, ids],
        );
        // Begins after the locks are taken, so it sees what the release before it left.
        const free = session.rows<{ id: PackId; noted: boolean }>(
          `WITH others AS (
             SELECT DISTINCT pack_id FROM packhouse.pack_holders
             WHERE account = $1 AND pack_id = ANY ($2) AND repo_id <> $3),
           released AS (
             DELETE FROM packhouse.pack_holders AS own USING others
             WHERE own.account = $1 AND own.pack_id = others.pack_id AND own.repo_id = $3)
           SELECT id, own.pack_id IS NOT NULL AS noted FROM unnest($2::text[]) AS id
           LEFT JOIN packhouse.pack_holders AS own ON own.account = $1 AND own.pack_id = id AND own.repo_id = $3
           WHERE id NOT IN (SELECT pack_id FROM others)`,
          [account, ids, repo],
        );
        return { free };
      });
      const free = await sent.free;
      return { unheld: free.map(({ id }) => id), noted: free.flatMap(({ id, noted }) => (noted ? [id] : [])) };
    },
    async drop(ids, repo) {
      await driver.rows(
        'DELETE FROM packhouse.pack_holders WHERE account = $1 AND pack_id = ANY ($2) AND repo_id = $3',
        [account, ids, repo],
      );
    },
    async held(repo, time) {
      const rows = await driver.rows<{ id: PackId }>(
        `SELECT pack_id AS id FROM packhouse.pack_holders
         WHERE account = $1 AND repo_id = $2 AND held_at < $3 ORDER BY held_at, pack_id`,
        [account, repo, time],
      );
      return rows.map(({ id }) => id);
    },
  };
}
