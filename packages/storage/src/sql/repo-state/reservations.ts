import { RepoGoneError, type PackId } from '@packhouse/git';
import type { PackReservations } from '../../packs/reservations.ts';
import type { SqlDriver } from '@packhouse/base';

/**
 * Keeps reservations in the database of the repository states, in the table `uploads`. The commit that adds a pack to
 * the manifest drops its row. `erase` keeps all rows, since the bytes still exist; `forget` removes them.
 */
export function sqlPackReservations(driver: SqlDriver, repoId: string): PackReservations {
  return {
    reserve: async (ids, at) =>
      driver.transaction(() => {
        const [repo] = driver.all('SELECT 1 FROM repos WHERE id = ? AND erased = 0', repoId);
        if (repo === undefined) throw new RepoGoneError('The repository was deleted');
        for (const id of ids) {
          driver.run(
            `INSERT INTO uploads (repo_id, id, begun_at) VALUES (?, ?, ?)
             ON CONFLICT (repo_id, id) DO UPDATE SET begun_at = excluded.begun_at`,
            repoId,
            id,
            at,
          );
        }
      }),
    before: async (time) =>
      driver
        .all<{ id: PackId }>(
          'SELECT id FROM uploads WHERE repo_id = ? AND begun_at < ? ORDER BY begun_at, id',
          repoId,
          time,
        )
        .map(({ id }) => id),
    drop: async (id) =>
      void driver.run(
        `DELETE FROM uploads WHERE repo_id = ?1 AND id = ?2
         AND NOT EXISTS (SELECT 1 FROM repos WHERE id = ?1 AND erased = 1)`,
        repoId,
        id,
      ),
  };
}
