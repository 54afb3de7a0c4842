import { hashSecret, type CreateRateLimiter, type PostgresDriver } from '@packhouse/base';

/** Milliseconds between two removals of windows that have ended. */
const removalPeriod = 60_000;

/** Windows that one removal deletes at most, so that it holds no locks for long. */
const removalMax = 10_000;

/**
 * SQL: true if a stored window has ended, or if the rate got shorter windows. `now()` is when the statement began: before
 * a window that another one has begun meanwhile, which must count.
 */
const isOver = `(known.ends <= now() OR known.ends > clock_timestamp() + $2 * interval '1 second')`;

/**
 * Counts the requests of all servers in PostgreSQL, by its clock (REPO-332). Admits as `createRateLimiter` does. Each
 * request is one statement. Keys are stored as hashes, because they may be credentials.
 */
export function postgresRates(driver: PostgresDriver): CreateRateLimiter {
  let removedAt = -Infinity;
  const removeEnded = (now: number): void => {
    if (Math.abs(now - removedAt) < removalPeriod) return;
    removedAt = now;
    const removal = driver.rows(
      `DELETE FROM packhouse.rates WHERE key IN
         (SELECT key FROM packhouse.rates WHERE ends < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [removalMax],
    );
    // The next one tries again.
    removal.catch(() => {});
  };
  return ({ requests, seconds }, clock, setting) => ({
    async admit(key) {
      const [counted] = await driver.rows<{ isAdmitted: boolean; left: number | null }>(
        `WITH counted AS (
           INSERT INTO packhouse.rates AS known (key, requests, ends)
           VALUES (decode($1, 'hex'), 1, now() + $2 * interval '1 second')
           ON CONFLICT (key) DO UPDATE SET
             requests = CASE WHEN ${isOver} THEN 1 ELSE known.requests + 1 END,
             ends = CASE WHEN ${isOver} THEN excluded.ends ELSE known.ends END
           WHERE ${isOver} OR known.requests < $3
           RETURNING 1
         )
         SELECT EXISTS (SELECT FROM counted) AS "isAdmitted",
           (SELECT extract(epoch FROM ends - clock_timestamp())::float8 FROM packhouse.rates WHERE key = decode($1, 'hex')) AS left`,
        [await hashSecret(`${setting} ${key}`), seconds, requests],
      );
      removeEnded(clock.now());
      if (counted?.isAdmitted !== false) return undefined;
      // Without a time, the window has begun during this statement.
      return Math.max(1, Math.ceil(counted.left ?? seconds));
    },
  });
}
