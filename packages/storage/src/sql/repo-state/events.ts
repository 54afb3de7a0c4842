import type { RecordedEvent } from '@packhouse/git';
import { eventOverhead, heldEventAge, type PendingEvent, type PendingEvents } from '@packhouse/hosting';
import type { SqlDriver } from '@packhouse/base';
import { checkEvent, eventSize, pendingBytesMax } from '../../repo-state/change.ts';

interface EventRow {
  readonly id: string;
  readonly at: number;
  readonly held: number;
  readonly body: string;
}

/** Events of one repository: waiting ones, and delivered ones in retention. */
export class SqlEvents {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  /**
   * Adds events. Skips events that exist.
   *
   * @throws {RangeError} if a body is too large.
   */
  add(account: string, events: readonly RecordedEvent[], isHeld: boolean): void {
    const [first] = events;
    if (first === undefined) return;
    for (const event of events) {
      checkEvent(event);
      const { id, at, body } = event;
      this.#driver.run(
        `INSERT INTO events (repo_id, id, at, held, size, body) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (repo_id, id) DO NOTHING`,
        this.#repo,
        id,
        at,
        isHeld ? 1 : 0,
        eventSize(body) + eventOverhead,
        body,
      );
    }
    // No queue without waiting events: a delivered one that is recorded again does not wait.
    this.#driver.run(
      `INSERT INTO event_queues (repo_id, account, due, attempts)
       SELECT ?1, ?2, ?3, 0 WHERE EXISTS (SELECT 1 FROM events WHERE repo_id = ?1 AND keep_until IS NULL)
       ON CONFLICT DO NOTHING`,
      this.#repo,
      account,
      isHeld ? first.at + heldEventAge : first.at,
    );
  }

  /** Adds held events before the other held ones. Skips events that exist, since others may follow them. */
  addInFront(account: string, events: readonly RecordedEvent[]): void {
    if (events.every(({ id }) => this.#knows(id))) return;
    const held = this.#driver.all<EventRow>(
      'SELECT id, at, held, body FROM events WHERE repo_id = ? AND keep_until IS NULL AND held = 1 ORDER BY sequence',
      this.#repo,
    );
    this.#driver.run('DELETE FROM events WHERE repo_id = ? AND keep_until IS NULL AND held = 1', this.#repo);
    this.#plan();
    this.add(account, [...events, ...held], true);
  }

  /** Returns the number of waiting bytes. */
  waiting(): number {
    const [row] = this.#driver.all<{ size: number | null }>(
      'SELECT sum(size) AS size FROM events WHERE repo_id = ? AND keep_until IS NULL',
      this.#repo,
    );
    return row?.size ?? 0;
  }

  isEmpty(): boolean {
    return this.#driver.all('SELECT 1 FROM event_queues WHERE repo_id = ?', this.#repo).length === 0;
  }

  release(): void {
    const freed = this.#driver.run(
      'UPDATE events SET held = 0 WHERE repo_id = ? AND keep_until IS NULL AND held = 1',
      this.#repo,
    );
    if (freed > 0) this.#plan();
  }

  /** If the first events are still held, no listener ever learned of the repository: drops all waiting events. */
  dropUnpublished(): void {
    const held = this.#driver.all(
      'SELECT 1 FROM events WHERE repo_id = ? AND keep_until IS NULL AND held = 1 LIMIT 1',
      this.#repo,
    );
    if (held.length > 0) this.dropWaiting();
  }

  /** Drops all waiting events. Delivered ones stay for their retention time. */
  dropWaiting(): void {
    this.#driver.run('DELETE FROM events WHERE repo_id = ? AND keep_until IS NULL', this.#repo);
    this.#plan();
  }

  pending(limit: number): PendingEvents {
    const [queue] = this.#driver.all<{ due: number; attempts: number }>(
      'SELECT due, attempts FROM event_queues WHERE repo_id = ?',
      this.#repo,
    );
    if (queue === undefined) return { events: [], attempts: 0, due: 0 };
    const sizes = this.#driver.all<{ sequence: number; size: number }>(
      'SELECT sequence, size FROM events WHERE repo_id = ? AND keep_until IS NULL ORDER BY sequence LIMIT ?',
      this.#repo,
      limit,
    );
    let bytes = 0;
    const fitting = sizes.filter(({ size }, i) => (bytes += size) <= pendingBytesMax || i === 0);
    const events = this.#driver
      .all<EventRow>(
        `SELECT id, at, held, body FROM events
         WHERE repo_id = ? AND keep_until IS NULL AND sequence <= ? ORDER BY sequence`,
        this.#repo,
        fitting.at(-1)?.sequence ?? 0,
      )
      .map(pendingOf);
    return { events, attempts: queue.attempts, due: queue.due };
  }

  delivered(ids: readonly string[], keepUntil: number | undefined): void {
    const which = 'WHERE repo_id = ?1 AND keep_until IS NULL AND id IN (SELECT value FROM json_each(?2))';
    const list = JSON.stringify(ids);
    const changed =
      keepUntil === undefined
        ? this.#driver.run(`DELETE FROM events ${which}`, this.#repo, list)
        : this.#driver.run(`UPDATE events SET keep_until = ?3, held = 0 ${which}`, this.#repo, list, keepUntil);
    if (changed > 0) this.#plan();
  }

  retryAt(at: number, attempts: number): void {
    this.#driver.run('UPDATE event_queues SET due = ?, attempts = ? WHERE repo_id = ?', at, attempts, this.#repo);
  }

  #knows(id: string): boolean {
    return this.#driver.all('SELECT 1 FROM events WHERE repo_id = ? AND id = ?', this.#repo, id).length > 0;
  }

  /** Plans the delivery of a new first event, if any. */
  #plan(): void {
    const [first] = this.#driver.all<{ at: number; held: number }>(
      'SELECT at, held FROM events WHERE repo_id = ? AND keep_until IS NULL ORDER BY sequence LIMIT 1',
      this.#repo,
    );
    if (first === undefined) this.#driver.run('DELETE FROM event_queues WHERE repo_id = ?', this.#repo);
    else this.retryAt(first.held === 1 ? first.at + heldEventAge : first.at, 0);
  }
}

function pendingOf({ id, at, held, body }: EventRow): PendingEvent {
  return { id, at, held: held === 1, body };
}
