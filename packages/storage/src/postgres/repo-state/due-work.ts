import type { PostgresDriver } from '@packhouse/base';
import {
  eventsKey,
  maintenanceKey,
  webhooksKey,
  type DueRepo,
  type DueWork,
  type QueuedRepo,
} from '@packhouse/hosting';

/** Number of delivered events that one call drops at most. */
const forgottenMax = 1_000;

/** Leaves out work that a server is doing, so that slow work does not hide what is due behind it. `key`: SQL. */
const isFree = (key: string): string =>
  `NOT EXISTS (SELECT FROM packhouse.leases WHERE key = ${key} AND expires > now())`;

/** Finds the due work of all repositories, for any number of servers (leases decide which of them does it). */
export function postgresDueWork(driver: PostgresDriver): DueWork & { readonly recorded: () => void } {
  let listener = (): void => {};
  /** Finds due queues of a table whose work has leases with this prefix. */
  const dueQueues = (table: string, prefix: string) => (now: number, limit: number) =>
    driver.rows<QueuedRepo>(
      `SELECT account, repo_id AS id FROM packhouse.${table}
       WHERE due <= $1 AND ${isFree('$3 || repo_id')} ORDER BY due, repo_id LIMIT $2`,
      [now, limit, prefix],
    );
  return {
    recorded: () => listener(),
    due: (now, limit) =>
      driver.rows<DueRepo>(
        `SELECT account, id, namespace, name FROM packhouse.repos
         WHERE maintain_at <= $1 AND ${isFree('$3 || id')} ORDER BY maintain_at LIMIT $2`,
        [now, limit, maintenanceKey('')],
      ),
    dueWebhooks: dueQueues('webhook_queues', webhooksKey('')),
    events: {
      due: dueQueues('event_queues', eventsKey('')),
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
