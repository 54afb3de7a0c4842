import type { PostgresDriver } from '@packhouse/base';
import type { WorkLeases, WorkStorage } from '@packhouse/hosting';
import { fencedDriver } from './fenced-driver.ts';

/**
 * Keeps leases in PostgreSQL, one row each. The clock of the database decides when they expire.
 *
 * @param open Makes the storage of a lease over its driver, whose changes test the fencing number.
 */
export function postgresWorkLeases(driver: PostgresDriver, open: (driver: PostgresDriver) => WorkStorage): WorkLeases {
  return {
    async take(key, milliseconds) {
      const [taken] = await driver.rows<{ fence: number }>(
        `INSERT INTO packhouse.leases AS known (key, fence, expires)
         VALUES ($1, nextval('packhouse.lease_fences'), now() + $2 * interval '1 millisecond')
         ON CONFLICT (key) DO UPDATE SET fence = excluded.fence, expires = excluded.expires
         WHERE known.expires <= now()
         RETURNING fence`,
        [key, milliseconds],
      );
      if (taken === undefined) return undefined;
      const { fence } = taken;
      return {
        fence,
        storage: open(fencedDriver(driver, key, fence)),
        async renew(time) {
          const held = await driver.rows(
            `UPDATE packhouse.leases SET expires = now() + $3 * interval '1 millisecond'
             WHERE key = $1 AND fence = $2 RETURNING 1`,
            [key, fence, time],
          );
          return held.length > 0;
        },
        async release() {
          await driver.rows('DELETE FROM packhouse.leases WHERE key = $1 AND fence = $2', [key, fence]);
        },
      };
    },
  };
}
