import { newPackId, RepoGoneError, type PreparedRecords } from '@packhouse/git';
import type { SqlDriver } from '@packhouse/base';
import {
  begunTime,
  droppedTime,
  PreparedRoom,
  type PreparedRecordsOptions,
  type PreparedRow,
} from '../../packs/prepared-room.ts';

/**
 * Keeps the records of prepared packs in the table `uploads`, so each goes with its reservation. Its time there is set
 * so that the sweep removes the pack 13 hours after it was begun, or an hour after it was dropped.
 */
export function sqlPreparedRecords(
  driver: SqlDriver,
  repoId: string,
  { leftoverAge, due, now: clock = Date.now }: PreparedRecordsOptions,
): PreparedRecords {
  /** Newest use first. */
  const rows = (): PreparedRow[] =>
    driver.all<PreparedRow>(
      `SELECT id, prepared_key AS key, prepared_size AS size, prepared_objects AS objects, begun_at AS begun,
         prepared_used_at AS used
       FROM uploads WHERE repo_id = ? AND prepared_size IS NOT NULL ORDER BY prepared_used_at DESC, id`,
      repoId,
    );
  const drop = (dropped: readonly PreparedRow[], now: number): void => {
    const begun = droppedTime(now, leftoverAge);
    for (const { id } of dropped) {
      driver.run(
        'UPDATE uploads SET prepared_key = NULL, begun_at = min(begun_at, ?) WHERE repo_id = ? AND id = ?',
        begun,
        repoId,
        id,
      );
    }
    if (dropped.length > 0) due(begun + leftoverAge + 1);
  };

  return {
    take: async (key, room) =>
      driver.transaction(() => {
        const now = clock();
        const { found, isUse, dropped } = new PreparedRoom(rows(), { room, now, leftoverAge }).take(key);
        drop(dropped, now);
        if (found === undefined) return undefined;
        if (isUse) {
          driver.run('UPDATE uploads SET prepared_used_at = ? WHERE repo_id = ? AND id = ?', now, repoId, found.id);
        }
        return { id: found.id, objects: found.objects as number };
      }),

    begin: async (key, size, room) =>
      driver.transaction(() => {
        const now = clock();
        const [repo] = driver.all('SELECT 1 FROM repos WHERE id = ? AND erased = 0', repoId);
        if (repo === undefined) throw new RepoGoneError('The repository was deleted');
        const { mayBegin, dropped } = new PreparedRoom(rows(), { room, now, leftoverAge }).begin(key, size);
        drop(dropped, now);
        if (!mayBegin) return undefined;
        const id = newPackId();
        const begun = begunTime(now, leftoverAge);
        driver.run(
          `INSERT INTO uploads (repo_id, id, begun_at, prepared_key, prepared_size, prepared_used_at)
           VALUES (?, ?, ?, ?, ?, ?)`,
          repoId,
          id,
          begun,
          key,
          size,
          now,
        );
        due(begun + leftoverAge + 1);
        return id;
      }),

    finish: async (_, { id, size, objects }) =>
      void driver.run(
        `UPDATE uploads SET prepared_size = ?, prepared_objects = ?, prepared_used_at = ?
         WHERE repo_id = ? AND id = ? AND prepared_key IS NOT NULL`,
        size,
        objects,
        clock(),
        repoId,
        id,
      ),

    drop: async (key) =>
      driver.transaction(() => {
        drop(
          rows().filter((row) => row.key !== null && (key === undefined || row.key === key)),
          clock(),
        );
      }),
  };
}
