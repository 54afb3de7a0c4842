import type { PostgresDriver, PostgresSession } from '@packhouse/base';
import type { RecordedEvent } from '@packhouse/git';
import {
  eventOverhead,
  lagReason,
  type QueuedEvent,
  type WebhookPlace,
  type WebhookProgress,
  type WebhookWork,
  webhookBatchBytes,
} from '@packhouse/hosting';
import { checkEvent, eventSize } from '../../repo-state/change.ts';
import { planQueue } from '../../repo-state/plan-webhooks.ts';
import { namespaceOwner, webhookOf, type WebhookRow } from '../../repo-state/webhook-row.ts';

interface QueueOwner {
  readonly id: string;
  readonly account: string;
  readonly namespace: string;
}

const placeColumns = `coalesce(position, 0) AS position, coalesce(attempts, 0) AS attempts, coalesce(due, 0) AS due,
  failing_since AS "failingSince"`;

/** Selects the active webhooks that the repository `$1` feeds, with their places. Needs its queue. */
const fedWebhooks = (columns: string): string => `
  SELECT ${columns}, ${placeColumns}
  FROM (SELECT account || '/' || namespace AS owner FROM packhouse.webhook_queues WHERE repo_id = $1) AS queue
  JOIN packhouse.webhooks AS webhook ON webhook.owner IN ($1, queue.owner) AND webhook.active
  LEFT JOIN packhouse.webhook_places AS place ON place.repo_id = $1 AND place.webhook_id = webhook.id`;

/**
 * Adds events with the commit if there is an active webhook, in one statement. Skips events that exist. The lock of the
 * repository gives their numbers the order of the commits.
 *
 * @throws {RangeError} if a body is too large.
 */
export function queueEvents(
  session: PostgresSession,
  { id: repo, account, namespace }: QueueOwner,
  events: readonly Omit<RecordedEvent, 'webhooksOnly'>[],
): void {
  const [first] = events;
  if (first === undefined) return;
  for (const event of events) checkEvent(event);
  const owner = namespaceOwner(account, namespace);
  void session.rows(
    `WITH heard AS (SELECT 1 FROM packhouse.webhooks WHERE owner IN ($1, $2) AND active LIMIT 1),
     added AS (
       INSERT INTO packhouse.webhook_events (repo_id, id, at, size, body)
       SELECT $1, id, at, size, body
       FROM unnest($3::text[], $4::int8[], $5::int8[], $6::text[]) WITH ORDINALITY AS one (id, at, size, body, number)
       WHERE EXISTS (SELECT FROM heard) ORDER BY number
       ON CONFLICT (repo_id, id) DO NOTHING
     )
     INSERT INTO packhouse.webhook_queues AS queue (repo_id, account, namespace, due)
     SELECT $1, $7, $8, $9 FROM heard
     ON CONFLICT (repo_id) DO UPDATE SET due = least(queue.due, excluded.due)`,
    [
      repo,
      owner,
      events.map(({ id }) => id),
      events.map(({ at }) => at),
      events.map(({ body }) => eventSize(body) + eventOverhead),
      events.map(({ body }) => body),
      account,
      owner.slice(account.length + 1),
      first.at,
    ],
  );
}

/** Adds events before those that wait, none of which was delivered, because the repository is not published. */
export async function queueEventsInFront(
  session: PostgresSession,
  owner: QueueOwner,
  events: readonly RecordedEvent[],
): Promise<void> {
  const waiting = await session.rows<QueuedEvent>(
    'SELECT id, at, body FROM packhouse.webhook_events WHERE repo_id = $1 ORDER BY sequence',
    [owner.id],
  );
  if (events.every(({ id }) => waiting.some((event) => event.id === id))) return;
  void session.rows('DELETE FROM packhouse.webhook_events WHERE repo_id = $1', [owner.id]);
  queueEvents(session, owner, [...events, ...waiting]);
}

/** Drops the queue of a repository with the commit. */
export function dropQueue(session: PostgresSession, repo: string): void {
  for (const table of ['webhook_events', 'webhook_places', 'webhook_queues']) {
    void session.rows(`DELETE FROM packhouse.${table} WHERE repo_id = $1`, [repo]);
  }
}

/** Implements `WebhookQueue.webhookWork` in one statement. */
export async function webhookWork(driver: PostgresDriver, repo: string): Promise<WebhookWork | undefined> {
  const rows = await driver.rows<{ readonly isErased: boolean } & WebhookPlace & { [Key in keyof WebhookRow]: never }>(
    `SELECT coalesce((SELECT erased FROM packhouse.repos WHERE id = $1), true) AS "isErased", fed.*
     FROM packhouse.webhook_queues LEFT JOIN (${fedWebhooks('webhook.*')}) AS fed ON true WHERE repo_id = $1`,
    [repo],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const webhooks = rows
    .filter(({ id }) => id !== null)
    .map(({ position, attempts, due, failingSince, ...row }) => ({
      webhook: webhookOf(row),
      position,
      attempts,
      due,
      failingSince,
    }));
  return { isErased: first.isErased, webhooks };
}

/** Implements `WebhookQueue.webhookEvents` in one statement. */
export function queuedEvents(
  driver: PostgresDriver,
  repo: string,
  after: number,
  limit: number,
): Promise<QueuedEvent[]> {
  return driver.rows<QueuedEvent>(
    `SELECT sequence, id, at, body FROM (
       SELECT *, sum(size) OVER (ORDER BY sequence) AS total, row_number() OVER (ORDER BY sequence) AS number
       FROM (
         SELECT * FROM packhouse.webhook_events WHERE repo_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
       ) AS oldest
     ) AS event WHERE total <= $4 OR number = 1 ORDER BY sequence`,
    [repo, after, limit, webhookBatchBytes],
  );
}

/** Implements `WebhookQueue.settleWebhooks` with the lock of the repository, in two round trips. */
export async function settleQueue(
  session: PostgresSession,
  repo: string,
  progress: readonly WebhookProgress[],
): Promise<number | undefined> {
  for (const one of progress) note(session, repo, one);
  const [places, [queue]] = await Promise.all([
    session.rows<WebhookPlace & { readonly id: string }>(fedWebhooks('webhook.id'), [repo]),
    session.rows<{ readonly last: number; readonly bytes: number }>(
      `SELECT coalesce((SELECT max(sequence) FROM packhouse.webhook_events WHERE repo_id = $1), 0) AS last,
         coalesce((SELECT sum(size) FROM packhouse.webhook_events WHERE repo_id = $1
           AND sequence > (SELECT min(position) FROM (${fedWebhooks('webhook.id')}) AS fed)), 0)::int8 AS bytes
       FROM packhouse.webhook_queues WHERE repo_id = $1`,
      [repo],
    ),
  ]);
  if (queue === undefined) return undefined;
  const plan = planQueue(places, queue.last, queue.bytes);
  for (const id of plan.stopped) stop(session, id, lagReason);
  if (plan.due === undefined) dropQueue(session, repo);
  else {
    void session.rows('DELETE FROM packhouse.webhook_events WHERE repo_id = $1 AND sequence <= $2', [
      repo,
      plan.passed,
    ]);
    void session.rows('UPDATE packhouse.webhook_queues SET due = $2 WHERE repo_id = $1', [repo, plan.due]);
  }
  return plan.due;
}

/** Stores progress, except the place of a webhook that is gone or inactive. */
function note(session: PostgresSession, repo: string, { id, lastDelivery, stopped, ...place }: WebhookProgress): void {
  if (lastDelivery !== undefined) {
    void session.rows('UPDATE packhouse.webhooks SET delivery = $2 WHERE id = $1', [id, JSON.stringify(lastDelivery)]);
  }
  if (stopped !== undefined) return stop(session, id, stopped);
  void session.rows(
    `INSERT INTO packhouse.webhook_places (repo_id, webhook_id, position, attempts, due, failing_since)
     SELECT $1, id, $3, $4, $5, $6 FROM packhouse.webhooks
     WHERE id = $2 AND active AND EXISTS (SELECT FROM packhouse.webhook_queues WHERE repo_id = $1)
     ON CONFLICT (repo_id, webhook_id) DO UPDATE SET position = excluded.position, attempts = excluded.attempts,
       due = excluded.due, failing_since = excluded.failing_since`,
    [repo, id, place.position, place.attempts, place.due, place.failingSince],
  );
}

function stop(session: PostgresSession, id: string, reason: string): void {
  void session.rows('UPDATE packhouse.webhooks SET active = false, stopped = $2 WHERE id = $1 AND active', [
    id,
    reason,
  ]);
  void session.rows('DELETE FROM packhouse.webhook_places WHERE webhook_id = $1', [id]);
}
