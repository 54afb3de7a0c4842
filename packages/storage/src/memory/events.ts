import type { RecordedEvent } from '@packhouse/git';
import { eventOverhead, heldEventAge, type PendingEvent, type PendingEvents } from '@packhouse/hosting';
import { checkEvent, eventSize, pendingBytesMax } from '../repo-state/change.ts';

/** Waiting events of one repository in memory. Delivered events are dropped. */
export class MemoryEvents {
  #waiting: readonly PendingEvent[] = [];
  #queue: Omit<PendingEvents, 'events'> = { attempts: 0, due: 0 };

  /**
   * Adds events. Skips events that exist.
   *
   * @throws {RangeError} if a body is too large.
   */
  add(events: readonly RecordedEvent[], held: boolean): void {
    for (const event of events) checkEvent(event);
    const isFirst = this.isEmpty();
    for (const { id, at, body } of events) {
      const isKnown = this.#waiting.some((event) => event.id === id);
      if (!isKnown) this.#waiting = [...this.#waiting, { id, at, body, held }];
    }
    if (isFirst) this.#plan();
  }

  /** Adds held events before the other held ones. Skips events that exist, since others may follow them. */
  addInFront(events: readonly RecordedEvent[]): void {
    if (events.every(({ id }) => this.#waiting.some((event) => event.id === id))) return;
    const held = this.#waiting.filter((event) => event.held);
    this.#drop((event) => event.held);
    this.add([...events, ...held], true);
  }

  /** Returns the number of waiting bytes. */
  waiting(): number {
    return this.#waiting.reduce((sum, { body }) => sum + eventSize(body) + eventOverhead, 0);
  }

  isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  release(): void {
    if (!this.#waiting.some(({ held }) => held)) return;
    this.#waiting = this.#waiting.map((event) => ({ ...event, held: false }));
    this.#plan();
  }

  /** If the first events are still held, no listener ever learned of the repository: drops all events. */
  dropUnpublished(): void {
    if (this.#waiting.some(({ held }) => held)) this.#drop(() => true);
  }

  pending(limit: number): PendingEvents {
    let bytes = 0;
    const events = this.#waiting
      .slice(0, limit)
      .filter(({ body }, i) => (bytes += eventSize(body) + eventOverhead) <= pendingBytesMax || i === 0);
    return this.isEmpty() ? { events, attempts: 0, due: 0 } : { events, ...this.#queue };
  }

  delivered(ids: readonly string[]): void {
    this.#drop(({ id }) => ids.includes(id));
  }

  retryAt(due: number, attempts: number): void {
    this.#queue = { due, attempts };
  }

  #drop(which: (event: PendingEvent) => boolean): void {
    const kept = this.#waiting.filter((event) => !which(event));
    if (kept.length === this.#waiting.length) return;
    this.#waiting = kept;
    this.#plan();
  }

  /** Plans the delivery of a new first event, if any. */
  #plan(): void {
    const [first] = this.#waiting;
    if (first !== undefined) this.retryAt(first.held ? first.at + heldEventAge : first.at, 0);
  }
}
