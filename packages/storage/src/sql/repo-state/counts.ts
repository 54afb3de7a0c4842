import type { SqlDriver } from '@packhouse/base';
import type { StorageCounts } from '@packhouse/hosting';

/** Counts what the database has. Reads every row of the repositories and packs. */
export function storageCounts(driver: SqlDriver, now: number): StorageCounts {
  const [counts] = driver.all<StorageCounts>(
    `SELECT (SELECT count(*) FROM repos WHERE erased = 0) AS repositories,
       packs, "packBytes",
       (SELECT count(*) FROM repos WHERE maintain_at <= ?) AS "maintenanceDue",
       (SELECT count(*) FROM events WHERE keep_until IS NULL) + (SELECT count(*) FROM webhook_events) AS "eventsWaiting"
     FROM (SELECT count(*) AS packs, coalesce(sum(pack_size + idx_size + graph_size), 0) AS "packBytes"
       FROM packs WHERE retired_at IS NULL)`,
    now,
  );
  return { ...(counts as StorageCounts) };
}
