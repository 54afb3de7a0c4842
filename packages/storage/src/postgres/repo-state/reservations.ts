import type { PostgresDriver } from '@packhouse/base';
import type { PackId } from '@packhouse/git';
import type { PackReservations } from '../../packs/reservations.ts';
import { gone } from './repo-row.ts';

/**
 * Keeps reservations in the table `uploads`. The commit that adds a pack to the manifest drops its row. `erase` keeps all
 * rows, since the bytes still exist; `forget` removes them.
 */
export function postgresPackReservations(driver: PostgresDriver, repo: string): PackReservations {
  return {
    reserve: (ids, at) =>
      driver.transaction(async (session) => {
        // An erasure waits for this lock, a push does not.
        const locked = session.rows('SELECT 1 FROM packhouse.repos WHERE id = $1 AND NOT erased FOR KEY SHARE', [repo]);
        void session.rows(
          `INSERT INTO packhouse.uploads (repo_id, id, begun_at) SELECT $1, unnest($2::text[]), $3
           ON CONFLICT (repo_id, id) DO UPDATE SET begun_at = excluded.begun_at`,
          [repo, [...new Set(ids)], at],
        );
        if ((await locked).length === 0) throw gone();
      }),
    before: async (time) => {
      const rows = await driver.rows<{ id: PackId }>(
        'SELECT id FROM packhouse.uploads WHERE repo_id = $1 AND begun_at < $2 ORDER BY begun_at, id',
        [repo, time],
      );
      return rows.map(({ id }) => id);
    },
    drop: async (id) => {
      await driver.rows(
        `DELETE FROM packhouse.uploads WHERE repo_id = $1 AND id = $2
           AND NOT EXISTS (SELECT FROM packhouse.repos WHERE id = $1 AND erased)`,
        [repo, id],
      );
    },
  };
}
