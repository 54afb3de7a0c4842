import type { PostgresDriver } from '@packhouse/base';
import type { DueRepo, DueWork, QueuedRepo } from '@packhouse/hosting';

/** Number of delivered events that one call drops at most. */
const forgottenMax = 1_000;

/** Finds the due work of all repositories, for any number of servers (leases decide which of them does it). */
export function postgresDueWork(driver: PostgresDriver): DueWork & { readonly recorded: () => void } {
  let listener = (): void => {};
  return {
    recorded: () => listener(),
    due: (now, limit) =>
      driver.rows<DueRepo>(
        `SELECT account, id, namespace, name FROM packhouse.repos
         WHERE maintain_at <= $1 ORDER BY maintain_at LIMIT $2`,
        [now, limit],
      ),
    events: {
      due: (now, limit) =>
        driver.rows<QueuedRepo>(
          'SELECT account, repo_id AS id FROM packhouse.event_queues WHERE due <= $1 ORDER BY due, repo_id LIMIT $2',
          [now, limit],
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
