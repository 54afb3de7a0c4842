import type { QueuedRepo } from '@packhouse/hosting';
import type { SqlDriver } from '@packhouse/base';

/** Returns up to `limit` repositories due at `now` (milliseconds since 1970), longest due first. */
export function dueQueues(driver: SqlDriver, now: number, limit: number): QueuedRepo[] {
  return driver.all<QueuedRepo>(
    'SELECT account, repo_id AS id FROM event_queues WHERE due <= ? ORDER BY due, repo_id LIMIT ?',
    now,
    limit,
  );
}

/**
 * Returns when the first queue is due (milliseconds since 1970), of the listener or of webhooks; undefined if no events
 * wait.
 */
export function nextDeliveryAt(driver: SqlDriver): number | undefined {
  const [first] = driver.all<{ due: number | null }>(
    'SELECT min(due) AS due FROM (SELECT min(due) AS due FROM event_queues UNION ALL SELECT min(due) FROM webhook_queues)',
  );
  return first?.due ?? undefined;
}

/** Maximum number of events that one call drops. */
const forgottenMax = 1_000;

/** Drops delivered events whose retention ended at `now`. */
export function forgetKeptEvents(driver: SqlDriver, now: number): void {
  driver.run(
    `DELETE FROM events WHERE sequence IN (
       SELECT sequence FROM events WHERE keep_until <= ? AND keep_until IS NOT NULL LIMIT ?)`,
    now,
    forgottenMax,
  );
}
