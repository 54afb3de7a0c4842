import type { PostgresDriver, PostgresSession } from '@packhouse/base';
import type { RecordedEvent } from '@packhouse/git';
import { eventOverhead, heldEventAge, type PendingEvent, type PendingEvents } from '@packhouse/hosting';
import { checkEvent, eventSize, pendingBytesMax } from '../../repo-state/change.ts';

/**
 * Events of one repository: waiting ones, and delivered ones in retention. All changes need the lock of the repository,
 * so that their numbers have the order of the commits.
 */
const waiting = 'repo_id = $1 AND keep_until IS NULL';

/**
 * Adds events with the commit. Skips events that exist.
 *
 * @throws {RangeError} if a body is too large.
 */
export function addEvents(
  session: PostgresSession,
  { id: repo, account }: { readonly id: string; readonly account: string },
  events: readonly RecordedEvent[],
  isHeld: boolean,
): void {
  const [first] = events;
  if (first === undefined) return;
  for (const event of events) checkEvent(event);
  void session.rows(
    `INSERT INTO packhouse.events (repo_id, sequence, id, at, held, size, body)
     SELECT $1, number + coalesce((SELECT max(sequence) FROM packhouse.events WHERE repo_id = $1), 0),
       id, at, $2, size, body
     FROM unnest($3::text[], $4::int8[], $5::int8[], $6::text[]) WITH ORDINALITY AS added (id, at, size, body, number)
     ON CONFLICT (repo_id, id) DO NOTHING`,
    [
      repo,
      isHeld,
      events.map(({ id }) => id),
      events.map(({ at }) => at),
      events.map(({ body }) => eventSize(body) + eventOverhead),
      events.map(({ body }) => body),
    ],
  );
  // No queue without waiting events: a delivered one that is recorded again does not wait.
  void session.rows(
    `INSERT INTO packhouse.event_queues (repo_id, account, due, attempts)
     SELECT $1, $2, $3, 0 WHERE EXISTS (SELECT FROM packhouse.events WHERE ${waiting})
     ON CONFLICT (repo_id) DO NOTHING`,
    [repo, account, isHeld ? first.at + heldEventAge : first.at],
  );
}

/** Adds held events before the other held ones. Skips events that exist, since others may follow them. */
export async function addEventsInFront(
  session: PostgresSession,
  repo: { readonly id: string; readonly account: string },
  events: readonly RecordedEvent[],
): Promise<void> {
  const ids = events.map(({ id }) => id);
  const known = await session.rows('SELECT 1 FROM packhouse.events WHERE repo_id = $1 AND id = ANY($2)', [
    repo.id,
    ids,
  ]);
  if (known.length === ids.length) return;
  addEvents(session, repo, events, true);
  // Numbers grow by more than the highest one, so that no row meets the number of another one.
  void session.rows(
    `UPDATE packhouse.events
     SET sequence = sequence + (SELECT max(sequence) FROM packhouse.events WHERE repo_id = $1)
     WHERE ${waiting} AND held AND id <> ALL ($2)`,
    [repo.id, ids],
  );
  planDelivery(session, repo.id);
}

/** Returns the number of waiting bytes. */
export async function waitingBytes(session: PostgresSession, repo: string): Promise<number> {
  const [row] = await session.rows<{ size: number }>(
    `SELECT coalesce(sum(size), 0) AS size FROM packhouse.events WHERE ${waiting}`,
    [repo],
  );
  return row?.size ?? 0;
}

/** Releases held events, which become due at once. */
export async function releaseEvents(session: PostgresSession, repo: string): Promise<void> {
  const freed = await session.rows(`UPDATE packhouse.events SET held = false WHERE ${waiting} AND held RETURNING 1`, [
    repo,
  ]);
  if (freed.length > 0) planDelivery(session, repo);
}

/** If the first events are still held, no listener ever learned of the repository: drops all waiting events. */
export async function dropUnpublished(session: PostgresSession, repo: string): Promise<void> {
  const held = await session.rows(`SELECT 1 FROM packhouse.events WHERE ${waiting} AND held LIMIT 1`, [repo]);
  if (held.length > 0) dropWaiting(session, repo);
}

/** Drops all waiting events with the commit. Delivered ones stay for their retention time. */
export function dropWaiting(session: PostgresSession, repo: string): void {
  void session.rows(`DELETE FROM packhouse.events WHERE ${waiting}`, [repo]);
  planDelivery(session, repo);
}

/** Reads the oldest waiting events in one statement: at most `limit`, within a bound of bytes. */
export async function pendingEvents(driver: PostgresDriver, repo: string, limit: number): Promise<PendingEvents> {
  type Nullable = { readonly [Key in keyof PendingEvent]: PendingEvent[Key] | null };
  const rows = await driver.rows<Nullable & { readonly due: number; readonly attempts: number }>(
    `SELECT due, attempts, id, at, held, body FROM packhouse.event_queues AS queue
     LEFT JOIN (
       SELECT *, sum(size) OVER (ORDER BY sequence) AS total, row_number() OVER (ORDER BY sequence) AS number
       FROM (SELECT * FROM packhouse.events WHERE ${waiting} ORDER BY sequence LIMIT $2) AS oldest
     ) AS event ON total <= $3 OR number = 1
     WHERE queue.repo_id = $1 ORDER BY sequence`,
    [repo, limit, pendingBytesMax],
  );
  const events = rows
    .filter(({ id }) => id !== null)
    .map(({ due: _, attempts: __, ...event }) => event as PendingEvent);
  return { events, attempts: rows[0]?.attempts ?? 0, due: rows[0]?.due ?? 0 };
}

/** Removes events that were delivered, or keeps them until a time. */
export async function removeDelivered(
  session: PostgresSession,
  repo: string,
  ids: readonly string[],
  keepUntil: number | undefined,
): Promise<void> {
  const which = `WHERE ${waiting} AND id = ANY($2) RETURNING 1`;
  const changed =
    keepUntil === undefined
      ? await session.rows(`DELETE FROM packhouse.events ${which}`, [repo, ids])
      : await session.rows(`UPDATE packhouse.events SET keep_until = $3, held = false ${which}`, [
          repo,
          ids,
          keepUntil,
        ]);
  if (changed.length > 0) planDelivery(session, repo);
}

/** Plans the delivery of a new first event, if any, with the commit. */
function planDelivery(session: PostgresSession, repo: string): void {
  void session.rows(
    `WITH first AS (
       SELECT CASE WHEN held THEN at + $2 ELSE at END AS due FROM packhouse.events
       WHERE ${waiting} ORDER BY sequence LIMIT 1
     ), ended AS (
       DELETE FROM packhouse.event_queues WHERE repo_id = $1 AND NOT EXISTS (SELECT FROM first)
     )
     UPDATE packhouse.event_queues SET due = first.due, attempts = 0 FROM first WHERE repo_id = $1`,
    [repo, heldEventAge],
  );
}
