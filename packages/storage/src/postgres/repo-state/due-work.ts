import type { PostgresDriver } from '@packhouse/base';
import { eventsKey, maintenanceKey, type DueRepo, type DueWork, type QueuedRepo } from '@packhouse/hosting';

/** Number of delivered events that one call drops at most. */
const forgottenMax = 1_000;

/** Leaves out work that a server is doing, so that slow work does not hide what is due behind it. `key`: SQL. */
const isFree = (key: string): string =>
  `NOT EXISTS (SELECT FROM packhouse.leases WHERE key = ${key} AND expires > now())`;

/** Finds the due work of all repositories, for any number of servers (leases decide which of them does it). */
export function postgresDueWork(driver: PostgresDriver): DueWork & { readonly recorded: () => void } {
  let listener = (): void => {};
  return {
    recorded: () => listener(),
    due: (now, limit) =>
      driver.rows<DueRepo>(
        `SELECT account, id, namespace, name FROM packhouse.repos
         WHERE maintain_at <= $1 AND ${isFree('$3 || id')} ORDER BY maintain_at LIMIT $2`,
        [now, limit, maintenanceKey('')],
      ),
    events: {
      due: (now, limit) =>
        driver.rows<QueuedRepo>(
          `SELECT account, repo_id AS id FROM packhouse.event_queues
           WHERE due <= $1 AND ${isFree('$3 || repo_id')} ORDER BY due, repo_id LIMIT $2`,
          [now, limit, eventsKey('')],
        ),
      whenRecorded: (next) => {
        listener = next;
      },
      forgetKept: async (now) => {
        await driver.rows(
          `DELETE FROM packhouse.events WHERE (repo_id, sequence) IN (
             SELECT repo_id, sequence FROM packhouse.events WHERE keep_until <= $1 ORDER BY keep_until LIMIT $2
             FOR UPDATE SKIP LOCKED
           )`,
          [now, forgottenMax],
        );
      },
    },
  };
}
