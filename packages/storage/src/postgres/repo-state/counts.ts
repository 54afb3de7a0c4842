import type { PostgresDriver } from '@packhouse/base';
import type { StorageCounts } from '@packhouse/hosting';

/** Counts what the database has. Reads every row of the repositories and packs, without a lock. */
export async function postgresStorageCounts(driver: PostgresDriver, now: number): Promise<StorageCounts> {
  const counting = `SELECT (SELECT count(*) FROM packhouse.repos WHERE NOT erased) AS repositories, packs, "packBytes",
      (SELECT count(*) FROM packhouse.repos WHERE maintain_at <= $1) AS "maintenanceDue",
      (SELECT count(*) FROM packhouse.events WHERE keep_until IS NULL)
        + (SELECT count(*) FROM packhouse.webhook_events) AS "eventsWaiting"
    FROM (SELECT count(*) AS packs, coalesce(sum(pack_size + idx_size + graph_size), 0) AS "packBytes"
      FROM packhouse.packs WHERE retired_at IS NULL) AS manifest`;
  // The database ends a transaction that takes too long. It would go on with a single statement after the caller has left.
  const [counts] = await driver.transaction((session) => session.rows<StorageCounts>(counting, [now]), 'read');
  return counts as StorageCounts;
}
