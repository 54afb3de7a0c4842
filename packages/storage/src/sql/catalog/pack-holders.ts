import type { PackId } from '@packhouse/git';
import type { SqlDriver, Migration } from '@packhouse/base';
import type { PackHolders } from '../../packs/holders.ts';

/** Maximum number of ids per value: Durable Object SQL refuses 2 MB. */
const idsInValue = 1_000;

/** Holders in a database of one account with the tables of `packHolderMigrations`. Every method is one transaction. */
export function sqlPackHolders(driver: SqlDriver): PackHolders {
  return {
    hold: async (ids, repos, at) =>
      driver.transaction(() => {
        for (const some of parts(ids)) {
          driver.run(
            `INSERT INTO pack_holders (pack_id, repo_id, held_at)
             SELECT pack.value, repo.value, ?3 FROM json_each(?1) AS pack, json_each(?2) AS repo WHERE true
             ON CONFLICT (pack_id, repo_id) DO UPDATE SET held_at = max(held_at, excluded.held_at)`,
            some,
            JSON.stringify(repos),
            at,
          );
        }
      }),
    release: async (ids, repo) =>
      driver.transaction(() => {
        const unheld: PackId[] = [];
        const noted: PackId[] = [];
        for (const some of parts(ids)) {
          driver.run(
            `DELETE FROM pack_holders WHERE repo_id = ?1 AND pack_id IN (SELECT value FROM json_each(?2))
               AND EXISTS (SELECT 1 FROM pack_holders AS o WHERE o.pack_id = pack_holders.pack_id AND o.repo_id <> ?1)`,
            repo,
            some,
          );
          const free = driver.all<{ id: PackId; noted: number }>(
            `SELECT value AS id, EXISTS (SELECT 1 FROM pack_holders WHERE pack_id = value AND repo_id = ?1) AS noted
             FROM json_each(?2)
             WHERE NOT EXISTS (SELECT 1 FROM pack_holders WHERE pack_id = value AND repo_id <> ?1)`,
            repo,
            some,
          );
          unheld.push(...free.map(({ id }) => id));
          noted.push(...free.flatMap((one) => (one.noted === 1 ? [one.id] : [])));
        }
        return { unheld, noted };
      }),
    drop: async (ids, repo) =>
      driver.transaction(() => {
        for (const some of parts(ids)) {
          driver.run(
            'DELETE FROM pack_holders WHERE repo_id = ? AND pack_id IN (SELECT value FROM json_each(?))',
            repo,
            some,
          );
        }
      }),
    held: async (repo, time) =>
      driver
        .all<{ id: PackId }>(
          'SELECT pack_id AS id FROM pack_holders WHERE repo_id = ? AND held_at < ? ORDER BY held_at, pack_id',
          repo,
          time,
        )
        .map(({ id }) => id),
  };
}

function parts(ids: readonly PackId[]): string[] {
  return Array.from({ length: Math.ceil(ids.length / idsInValue) }, (_, i) =>
    JSON.stringify(ids.slice(i * idsInValue, (i + 1) * idsInValue)),
  );
}

/** Tables of the holders of packs of one account. */
export const packHolderMigrations: readonly Migration[] = [
  {
    name: 'pack holders',
    statements: [
      `CREATE TABLE pack_holders (
         pack_id TEXT NOT NULL, repo_id TEXT NOT NULL, held_at INTEGER NOT NULL, PRIMARY KEY (pack_id, repo_id)
       ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX pack_holders_by_repo ON pack_holders (repo_id, held_at)',
    ],
  },
];
