import type { SqlDriver } from '@packhouse/base';
import type { RecordedEvent } from '@packhouse/git';
import {
  eventNames,
  eventOverhead,
  lagReason,
  type QueuedEvent,
  type QueuedRepo,
  type WebhookPlace,
  type WebhookProgress,
  type WebhookRecord,
  type WebhookWork,
  webhookBatchBytes,
} from '@packhouse/hosting';
import { checkEvent, eventSize } from '../../repo-state/change.ts';
import { lowestPosition, planQueue } from '../../repo-state/plan-webhooks.ts';
import { namespaceOwner, wantedBy, webhookOf, type WebhookRow } from '../../repo-state/webhook-row.ts';

interface QueueOwner {
  readonly account: string;
  readonly namespace: string;
}

interface PlaceRow {
  readonly webhook_id: string;
  readonly position: number;
  readonly attempts: number;
  readonly due: number;
  readonly failing_since: number | null;
}

interface EventRow {
  readonly sequence: number;
  readonly id: string;
  readonly at: number;
  readonly body: string;
}

const beginning: WebhookPlace = { position: 0, attempts: 0, due: 0, failingSince: null };

/** Events of one repository that wait for webhooks, without transactions. */
export class SqlWebhookQueue {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  /**
   * Adds events if there is an active webhook. Skips events that exist.
   *
   * @throws {RangeError} if a body is too large.
   */
  add(owner: QueueOwner, events: readonly RecordedEvent[]): void {
    const [first] = events;
    if (first === undefined || !this.#isHeard(owner)) return;
    for (const event of events) {
      checkEvent(event);
      this.#insert(event);
    }
    this.#driver.run(
      `INSERT INTO webhook_queues (repo_id, account, namespace, due) VALUES (?, ?, ?, ?)
       ON CONFLICT (repo_id) DO UPDATE SET due = min(due, excluded.due)`,
      this.#repo,
      owner.account,
      owner.namespace,
      first.at,
    );
  }

  /** Adds events before those that wait, none of which was delivered, because the repository is not published. */
  addInFront(owner: QueueOwner, events: readonly RecordedEvent[]): void {
    const waiting = this.#driver.all<EventRow>(
      'SELECT sequence, id, at, body FROM webhook_events WHERE repo_id = ? ORDER BY sequence',
      this.#repo,
    );
    if (events.every(({ id }) => waiting.some((event) => event.id === id))) return;
    this.#driver.run('DELETE FROM webhook_events WHERE repo_id = ?', this.#repo);
    this.add(owner, [...events, ...waiting]);
  }

  isEmpty(): boolean {
    return this.#driver.all('SELECT 1 FROM webhook_queues WHERE repo_id = ?', this.#repo).length === 0;
  }

  /** Drops the events of a repository that was never published. */
  drop(): void {
    for (const table of ['webhook_events', 'webhook_places', 'webhook_queues']) {
      this.#driver.run(`DELETE FROM ${table} WHERE repo_id = ?`, this.#repo);
    }
  }

  /** Forgets the own webhooks of an erased repository. */
  forgetWebhooks(): void {
    this.#driver.run('DELETE FROM webhooks WHERE owner = ?', this.#repo);
  }

  wanted(owner: QueueOwner): readonly string[] {
    return wantedBy(this.#active(owner), eventNames);
  }

  work(isErased: boolean): WebhookWork | undefined {
    const owner = this.#queue();
    if (owner === undefined) return undefined;
    const places = this.#places();
    const webhooks = this.#active(owner).map((webhook) => ({ webhook, ...(places.get(webhook.id) ?? beginning) }));
    return { isErased, webhooks };
  }

  events(after: number, limit: number): readonly QueuedEvent[] {
    const sizes = this.#driver.all<{ sequence: number; size: number }>(
      'SELECT sequence, size FROM webhook_events WHERE repo_id = ? AND sequence > ? ORDER BY sequence LIMIT ?',
      this.#repo,
      after,
      limit,
    );
    let bytes = 0;
    const fitting = sizes.filter(({ size }, i) => (bytes += size) <= webhookBatchBytes || i === 0);
    return this.#driver.all<EventRow>(
      `SELECT sequence, id, at, body FROM webhook_events
       WHERE repo_id = ? AND sequence > ? AND sequence <= ? ORDER BY sequence`,
      this.#repo,
      after,
      fitting.at(-1)?.sequence ?? 0,
    );
  }

  settle(progress: readonly WebhookProgress[]): number | undefined {
    const owner = this.#queue();
    for (const one of progress) this.#note(one, owner !== undefined);
    if (owner === undefined) return undefined;
    const places = this.#places();
    const active = this.#active(owner).map(({ id }) => ({ id, ...(places.get(id) ?? beginning) }));
    const [queue] = this.#driver.all<{ last: number | null; bytes: number | null }>(
      `SELECT max(sequence) AS last, sum(size) FILTER (WHERE sequence > ?) AS bytes FROM webhook_events
       WHERE repo_id = ?`,
      lowestPosition(active),
      this.#repo,
    );
    const plan = planQueue(active, queue?.last ?? 0, queue?.bytes ?? 0);
    for (const id of plan.stopped) this.#stop(id, lagReason);
    if (plan.due === undefined) this.drop();
    else {
      this.#driver.run('DELETE FROM webhook_events WHERE repo_id = ? AND sequence <= ?', this.#repo, plan.passed);
      this.delay(plan.due);
    }
    return plan.due;
  }

  delay(until: number): void {
    this.#driver.run('UPDATE webhook_queues SET due = ? WHERE repo_id = ?', until, this.#repo);
  }

  #insert({ id, at, body }: Pick<RecordedEvent, 'id' | 'at' | 'body'>): void {
    this.#driver.run(
      `INSERT INTO webhook_events (repo_id, id, at, size, body) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (repo_id, id) DO NOTHING`,
      this.#repo,
      id,
      at,
      eventSize(body) + eventOverhead,
      body,
    );
  }

  #isHeard({ account, namespace }: QueueOwner): boolean {
    const heard = this.#driver.all(
      'SELECT 1 FROM webhooks WHERE owner IN (?, ?) AND active = 1 LIMIT 1',
      this.#repo,
      namespaceOwner(account, namespace),
    );
    return heard.length > 0;
  }

  #active({ account, namespace }: QueueOwner): readonly WebhookRecord[] {
    return this.#driver
      .all<WebhookRow>(
        'SELECT * FROM webhooks WHERE owner IN (?, ?) AND active = 1',
        this.#repo,
        namespaceOwner(account, namespace),
      )
      .map(webhookOf);
  }

  #queue(): QueueOwner | undefined {
    return this.#driver.all<QueueOwner>(
      'SELECT account, namespace FROM webhook_queues WHERE repo_id = ?',
      this.#repo,
    )[0];
  }

  #places(): ReadonlyMap<string, WebhookPlace> {
    const rows = this.#driver.all<PlaceRow>('SELECT * FROM webhook_places WHERE repo_id = ?', this.#repo);
    return new Map(
      rows.map(({ webhook_id: id, failing_since: failingSince, position, attempts, due }) => [
        id,
        { position, attempts, due, failingSince },
      ]),
    );
  }

  /** Stores progress, except the place of a webhook that is gone or inactive. */
  #note({ id, lastDelivery, stopped, ...place }: WebhookProgress, hasQueue: boolean): void {
    if (lastDelivery !== undefined) {
      this.#driver.run('UPDATE webhooks SET delivery = ? WHERE id = ?', JSON.stringify(lastDelivery), id);
    }
    if (stopped !== undefined) return this.#stop(id, stopped);
    if (!hasQueue) return;
    this.#driver.run(
      `INSERT OR REPLACE INTO webhook_places (repo_id, webhook_id, position, attempts, due, failing_since)
       SELECT ?, id, ?, ?, ?, ? FROM webhooks WHERE id = ? AND active = 1`,
      this.#repo,
      place.position,
      place.attempts,
      place.due,
      place.failingSince,
      id,
    );
  }

  #stop(id: string, reason: string): void {
    this.#driver.run('UPDATE webhooks SET active = 0, stopped = ? WHERE id = ? AND active = 1', reason, id);
    this.#driver.run('DELETE FROM webhook_places WHERE webhook_id = ?', id);
  }
}

/** Returns up to `limit` repositories with events for webhooks that are due at `now`, longest due first. */
export function dueWebhookQueues(driver: SqlDriver, now: number, limit: number): QueuedRepo[] {
  return driver.all<QueuedRepo>(
    'SELECT account, repo_id AS id FROM webhook_queues WHERE due <= ? ORDER BY due, repo_id LIMIT ?',
    now,
    limit,
  );
}
