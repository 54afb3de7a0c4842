import type { RecordedEvent } from '@packhouse/git';
import {
  eventNames,
  eventOverhead,
  lagReason,
  type QueuedEvent,
  type RepoHead,
  type WebhookChange,
  type WebhookList,
  type WebhookPlace,
  type WebhookProgress,
  type WebhookRecord,
  type WebhookWork,
  webhookBatchBytes,
} from '@packhouse/hosting';
import { checkEvent, eventSize } from '../repo-state/change.ts';
import { lowestPosition, planQueue } from '../repo-state/plan-webhooks.ts';
import { changedWebhook, oldestWebhooks, wakes, wantedBy } from '../repo-state/webhook-row.ts';

const beginning: WebhookPlace = { position: 0, attempts: 0, due: 0, failingSince: null };

/** Webhooks of one owner in memory, with their places in the queues of repositories. */
export class MemoryWebhookList implements WebhookList {
  #webhooks: readonly WebhookRecord[] = [];
  #isEnded = false;
  readonly #places = new Map<string, Map<MemoryWebhookQueue, WebhookPlace>>();

  async webhooks(): Promise<readonly WebhookRecord[]> {
    return oldestWebhooks(this.#webhooks);
  }

  async addWebhook(webhook: WebhookRecord, max: number): Promise<boolean> {
    if (this.#webhooks.some(({ id }) => id === webhook.id)) return true;
    if (this.#isEnded || this.#webhooks.length >= max) return false;
    this.#webhooks = [...this.#webhooks, webhook];
    return true;
  }

  async changeWebhook(id: string, change: WebhookChange): Promise<WebhookRecord | undefined> {
    const webhook = this.#webhooks.find((one) => one.id === id);
    if (webhook === undefined) return undefined;
    const changed = changedWebhook(webhook, change);
    this.#webhooks = this.#webhooks.map((one) => (one === webhook ? changed : one));
    for (const [queue, { position }] of (wakes(change) && this.#places.get(id)) || []) {
      queue.delay(0);
      this.#places.get(id)?.set(queue, { ...beginning, position });
    }
    if (!changed.isActive) this.#places.delete(id);
    return changed;
  }

  async removeWebhook(id: string): Promise<boolean> {
    const kept = this.#webhooks.filter((webhook) => webhook.id !== id);
    if (kept.length === this.#webhooks.length) return false;
    this.#webhooks = kept;
    for (const queue of this.#places.get(id)?.keys() ?? []) queue.delay(0);
    this.#places.delete(id);
    return true;
  }

  /** Forgets the webhooks of an owner that was deleted. */
  end(): void {
    this.#isEnded = true;
    this.#webhooks = [];
  }

  active(): readonly WebhookRecord[] {
    return this.#webhooks.filter(({ isActive }) => isActive);
  }

  placeOf(id: string, queue: MemoryWebhookQueue): WebhookPlace {
    return this.#places.get(id)?.get(queue) ?? beginning;
  }

  /** Stores progress, except that of a webhook that is not in this list, and the place of an inactive one. */
  note(queue: MemoryWebhookQueue, { id, lastDelivery, stopped, ...place }: WebhookProgress): void {
    if (lastDelivery !== undefined) {
      this.#webhooks = this.#webhooks.map((one) => (one.id === id ? { ...one, lastDelivery } : one));
    }
    if (stopped !== undefined) this.stop(id, stopped);
    else if (this.active().some((webhook) => webhook.id === id)) {
      const places = this.#places.get(id) ?? new Map<MemoryWebhookQueue, WebhookPlace>();
      this.#places.set(id, places.set(queue, place));
    }
  }

  stop(id: string, reason: string): void {
    this.#webhooks = this.#webhooks.map((one) =>
      one.id === id && one.isActive ? { ...one, isActive: false, stopped: reason } : one,
    );
    this.#places.delete(id);
  }

  /** Forgets the places in a queue that ended. */
  forgetPlaces(queue: MemoryWebhookQueue): void {
    for (const places of this.#places.values()) places.delete(queue);
  }
}

/** Events of one repository in memory that wait for webhooks. */
export class MemoryWebhookQueue {
  readonly #own: MemoryWebhookList;
  readonly #namespaceLists: (account: string, namespace: string) => MemoryWebhookList;
  #lists: readonly MemoryWebhookList[] = [];
  #events: readonly QueuedEvent[] = [];
  #last = 0;
  #due: number | undefined;

  constructor(own: MemoryWebhookList, namespaceLists: (account: string, namespace: string) => MemoryWebhookList) {
    this.#own = own;
    this.#namespaceLists = namespaceLists;
  }

  add({ account, namespace }: RepoHead, events: readonly RecordedEvent[]): void {
    this.#lists = [this.#own, this.#namespaceLists(account, namespace)];
    const [first] = events;
    if (first === undefined || this.#active().length === 0) return;
    for (const event of events) {
      checkEvent(event);
      if (this.#events.some(({ id }) => id === event.id)) continue;
      const { id, at, body } = event;
      this.#events = [...this.#events, { sequence: ++this.#last, id, at, body }];
    }
    this.#due = Math.min(this.#due ?? Infinity, first.at);
  }

  /** Adds events before those that wait, none of which was delivered, because the repository is not published. */
  addInFront(head: RepoHead, events: readonly RecordedEvent[]): void {
    const waiting = this.#events;
    if (events.every(({ id }) => waiting.some((event) => event.id === id))) return;
    this.#events = [];
    this.add(head, [...events, ...waiting]);
  }

  drop(): void {
    this.#events = [];
    this.#due = undefined;
    for (const list of this.#lists) list.forgetPlaces(this);
  }

  wanted({ account, namespace }: RepoHead): readonly string[] {
    return wantedBy([...this.#own.active(), ...this.#namespaceLists(account, namespace).active()], eventNames);
  }

  /** Returns when the queue is due (milliseconds since 1970), or undefined if no event waits. */
  due(): number | undefined {
    return this.#due;
  }

  work(isErased: boolean): WebhookWork | undefined {
    if (this.#due === undefined) return undefined;
    const webhooks = this.#lists.flatMap((list) =>
      list.active().map((webhook) => ({ webhook, ...list.placeOf(webhook.id, this) })),
    );
    return { isErased, webhooks };
  }

  events(after: number, limit: number): readonly QueuedEvent[] {
    let bytes = 0;
    return this.#events
      .filter(({ sequence }) => sequence > after)
      .slice(0, limit)
      .filter(({ body }, i) => (bytes += eventSize(body) + eventOverhead) <= webhookBatchBytes || i === 0);
  }

  settle(progress: readonly WebhookProgress[]): number | undefined {
    for (const one of progress) for (const list of this.#lists) list.note(this, one);
    if (this.#due === undefined) return undefined;
    const places = this.#lists.flatMap((list) => list.active().map(({ id }) => ({ id, ...list.placeOf(id, this) })));
    const lowest = lowestPosition(places);
    const behind = this.#events.filter(({ sequence }) => sequence > lowest);
    const bytes = behind.reduce((sum, { body }) => sum + eventSize(body) + eventOverhead, 0);
    const plan = planQueue(places, this.#events.at(-1)?.sequence ?? 0, bytes);
    for (const id of plan.stopped) for (const list of this.#lists) list.stop(id, lagReason);
    if (plan.due === undefined) this.drop();
    else {
      this.#events = this.#events.filter(({ sequence }) => sequence > plan.passed);
      this.#due = plan.due;
    }
    return plan.due;
  }

  delay(until: number): void {
    if (this.#due !== undefined) this.#due = until;
  }

  #active(): readonly WebhookRecord[] {
    return this.#lists.flatMap((list) => list.active());
  }
}
