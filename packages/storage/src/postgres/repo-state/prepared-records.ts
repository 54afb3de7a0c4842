import type { PostgresDriver, PostgresSession } from '@packhouse/base';
import { newPackId, type PreparedRecords } from '@packhouse/git';
import {
  begunTime,
  droppedTime,
  PreparedRoom,
  type PreparedRecordsOptions,
  type PreparedRow,
} from '../../packs/prepared-room.ts';
import { changeRepo } from './repo-row.ts';

/**
 * Keeps the records of prepared packs in the table `uploads`, so each goes with its reservation. A pack is begun under the
 * lock of its repository, so servers make one at a time. A pack that was dropped meanwhile can still be sent for an hour.
 */
export function postgresPreparedRecords(
  driver: PostgresDriver,
  repo: string,
  { leftoverAge, due, now: clock = Date.now }: PreparedRecordsOptions,
): PreparedRecords {
  /** Newest use first. */
  const rows = (session: PostgresSession): Promise<PreparedRow[]> =>
    session.rows<PreparedRow>(
      `SELECT id, prepared_key AS key, prepared_size AS size, prepared_objects AS objects, begun_at AS begun,
         prepared_used_at AS used
       FROM packhouse.uploads WHERE repo_id = $1 AND prepared_size IS NOT NULL ORDER BY prepared_used_at DESC, id`,
      [repo],
    );
  const drop = async (session: PostgresSession, dropped: readonly PreparedRow[], now: number): Promise<void> => {
    if (dropped.length === 0) return;
    const begun = droppedTime(now, leftoverAge);
    await session.rows(
      `UPDATE packhouse.uploads SET prepared_key = NULL, begun_at = least(begun_at, $2)
       WHERE repo_id = $1 AND id = ANY($3)`,
      [repo, begun, dropped.map(({ id }) => id)],
    );
    due(begun + leftoverAge + 1);
  };

  return {
    async take(key, room) {
      const now = clock();
      const { found, isUse, dropped } = new PreparedRoom(await rows(driver), { room, now, leftoverAge }).take(key);
      await drop(driver, dropped, now);
      if (found === undefined) return undefined;
      if (isUse) {
        await driver.rows('UPDATE packhouse.uploads SET prepared_used_at = $2 WHERE repo_id = $1 AND id = $3', [
          repo,
          now,
          found.id,
        ]);
      }
      return { id: found.id, objects: found.objects as number };
    },

    begin: (key, size, room) =>
      changeRepo(driver, repo, async (session) => {
        const now = clock();
        const prepared = new PreparedRoom(await rows(session), { room, now, leftoverAge });
        const { mayBegin, dropped } = prepared.begin(key, size);
        await drop(session, dropped, now);
        if (!mayBegin) return undefined;
        const id = newPackId();
        const begun = begunTime(now, leftoverAge);
        await session.rows(
          `INSERT INTO packhouse.uploads (repo_id, id, begun_at, prepared_key, prepared_size, prepared_used_at)
           VALUES ($1, $2, $3, $4, $5, $6)`,
          [repo, id, begun, key, size, now],
        );
        due(begun + leftoverAge + 1);
        return id;
      }),

    async finish(_, { id, size, objects }) {
      await driver.rows(
        `UPDATE packhouse.uploads SET prepared_size = $3, prepared_objects = $4, prepared_used_at = $5
         WHERE repo_id = $1 AND id = $2 AND prepared_key IS NOT NULL`,
        [repo, id, size, objects, clock()],
      );
    },

    async drop(key) {
      const all = await rows(driver);
      const dropped = all.filter((row) => row.key !== null && (key === undefined || row.key === key));
      await drop(driver, dropped, clock());
    },
  };
}
