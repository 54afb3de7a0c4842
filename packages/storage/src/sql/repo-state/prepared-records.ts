import {
  makingMax,
  newPackId,
  preparedLifetime,
  RepoGoneError,
  type PackId,
  type PreparedRecords,
} from '@packhouse/git';
import type { SqlDriver } from '@packhouse/base';

/** Milliseconds that the bytes of a dropped pack stay, since other isolates may still send it. */
const grace = 3_600_000;
/** Milliseconds before a pack is made again whose maker died. */
const retryAfter = 3_600_000;
/** Milliseconds between two records of the use of a pack: each is a row written. */
const usePeriod = 600_000;

/** Part of the room that each pack takes at least: each call reads all rows, and the sweep removes pack by pack. */
const leastShare = 1 / 256;

export interface PreparedRecordsOptions {
  /** Milliseconds after which the sweep removes a begun pack. */
  readonly leftoverAge: number;
  /** Receives the time (milliseconds since 1970) when a pack is due for the sweep. */
  readonly due: (at: number) => void;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** A pack outside the manifest. Without a key it was dropped, without objects it is being made. */
interface Row {
  readonly id: PackId;
  readonly key: string | null;
  readonly size: number;
  readonly objects: number | null;
  readonly begun: number;
  readonly used: number;
}

/**
 * Keeps the records of prepared packs in the table `uploads`, so each goes with its reservation. Its time there is set
 * so that the sweep removes the pack 13 hours after it was begun, or an hour after it was dropped.
 */
export function sqlPreparedRecords(
  driver: SqlDriver,
  repoId: string,
  { leftoverAge, due, now: clock = Date.now }: PreparedRecordsOptions,
): PreparedRecords {
  const least = (room: number): number => Math.floor(room * leastShare);
  /** Newest use first, with the size that each takes of the room. */
  const rows = (room = 0): Row[] =>
    driver.all<Row>(
      `SELECT id, prepared_key AS key, max(prepared_size, ?) AS size, prepared_objects AS objects, begun_at AS begun,
         prepared_used_at AS used
       FROM uploads WHERE repo_id = ? AND prepared_size IS NOT NULL ORDER BY prepared_used_at DESC, id`,
      least(room),
      repoId,
    );
  const drop = (dropped: readonly Row[], now: number): void => {
    const begun = now - leftoverAge + grace;
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
  /** Drops the finished packs beyond `room` bytes, and returns the others. */
  const fit = (all: readonly Row[], room: number, now: number): readonly Row[] => {
    let bytes = 0;
    const finished = all.filter(({ key, objects }) => key !== null && objects !== null);
    const beyond = finished.findIndex(({ size }) => (bytes += size) > room);
    if (beyond < 0) return finished;
    drop(finished.slice(beyond), now);
    return finished.slice(0, beyond);
  };
  const isOver = (row: Row, now: number): boolean =>
    row.objects === null ? now - row.used >= retryAfter : now >= row.begun + leftoverAge - grace;

  return {
    take: async (key, room) =>
      driver.transaction(() => {
        const now = clock();
        const found = fit(rows(room), room, now).find((row) => row.key === key);
        if (found === undefined || isOver(found, now)) return undefined;
        if (now - found.used > usePeriod) {
          driver.run('UPDATE uploads SET prepared_used_at = ? WHERE repo_id = ? AND id = ?', now, repoId, found.id);
        }
        return { id: found.id, objects: found.objects as number };
      }),

    begin: async (key, size, room) =>
      driver.transaction(() => {
        const now = clock();
        const [repo] = driver.all('SELECT 1 FROM repos WHERE id = ? AND erased = 0', repoId);
        if (repo === undefined) throw new RepoGoneError('The repository was deleted');
        const all = rows(room);
        const kept = all.filter((row) => row.key !== null && !isOver(row, now));
        if (kept.some((row) => row.key === key || (row.objects === null && now - row.used < makingMax)))
          return undefined;
        drop(
          all.filter((row) => row.key !== null && isOver(row, now)),
          now,
        );
        if (all.reduce((sum, row) => sum + row.size, Math.max(size, least(room))) > room) {
          // At least half goes at once, since what goes still takes its room for an hour.
          fit(kept, Math.min(room / 2, room - size), now);
          return undefined;
        }
        const id = newPackId();
        const begun = now - leftoverAge + preparedLifetime + grace;
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
