import { timeLimit } from '../internal/time-limit.ts';
import type { Clock } from '@packhouse/base';
import type { DeliveredEvent, OnEvent } from '../ports/on-event.ts';
import { heldEventAge, type Outbox, type PendingEvent, type PendingEvents } from '../ports/outbox.ts';
import type { RecordedBody } from './make-event.ts';

/** What becomes of the events of one repository. */
export interface EventDelivery {
  readonly repoId: string;
  readonly outbox: Outbox;
  /** Whether the repository is published: asked only where events were held for {@link heldEventAge}. */
  readonly isPublished: () => Promise<boolean>;
  readonly onEvent: OnEvent;
  /** `eventSubscriptionId` of REPO-191. */
  readonly subscription: string;
  /** Milliseconds from the time of an event until one more failure makes it be given up. */
  readonly retryFor: number;
  /** Milliseconds that delivered events stay readable. */
  readonly keepFor: number;
  readonly clock: Clock;
  /** Told of each failure, and of each event that is given up. */
  readonly report: (error: unknown) => void;
  /** Ends the delivery: what is on its way comes again. */
  readonly signal: AbortSignal;
}

/** An event could not be handed over. `cause` is why, which the message ends with. */
export class EventDeliveryError extends Error {
  override readonly name = 'EventDeliveryError';
  /** For the log: what is tried again is no error of this service yet. */
  readonly level: 'warn' | 'error';

  constructor(level: 'warn' | 'error', message: string, cause: unknown) {
    super(`${message}: ${cause instanceof Error ? cause.message : 'unknown reason'}`, { cause });
    this.level = level;
  }
}

/** Events that are handed over before it is noted that they were: what comes twice after a crash. */
const batch = 16;
/** Milliseconds that one event may take. */
const attemptMax = 30_000;
/** Milliseconds before an event that failed is tried again; doubled with each failure up to an hour. */
const firstPause = 5_000;
const pauseMax = 3_600_000;

/**
 * Hands over the events of one repository that are due, in their order (REPO-190, REPO-198). One that fails keeps those
 * behind it waiting. To be called for a repository from one place at a time. Ends after some events, so that others have
 * their turn.
 *
 * @returns when it is to be called again (milliseconds since 1970); undefined: nothing waits.
 */
export async function deliverEvents(delivery: EventDelivery): Promise<number | undefined> {
  const { outbox, clock } = delivery;
  let pending = await outbox.pendingEvents(batch);
  if (pending.events[0]?.held === true && pending.due <= clock.now()) {
    if (!(await delivery.isPublished())) await outbox.retryEventsAt(clock.now() + heldEventAge, 0);
    else await outbox.releaseEvents();
    pending = await outbox.pendingEvents(batch);
  }
  if (pending.due <= clock.now()) await handOver(delivery, pending);
  const { events, due } = await outbox.pendingEvents(1);
  return events.length === 0 ? undefined : due;
}

async function handOver(delivery: EventDelivery, { events, attempts }: PendingEvents): Promise<void> {
  const { outbox, clock, keepFor, retryFor, report, signal } = delivery;
  const taken: string[] = [];
  const settle = async (): Promise<void> => {
    if (taken.length > 0) await outbox.delivered(taken, keepFor === 0 ? undefined : clock.now() + keepFor);
  };
  let failures = attempts;
  for (const event of events) {
    if (event.held || signal.aborted) break;
    try {
      await attempt(delivery, event);
      taken.push(event.id);
    } catch (cause) {
      if (signal.aborted) break;
      failures += 1;
      const isGivenUp = clock.now() - event.at >= retryFor;
      const what = `event ${event.id} of repo ${delivery.repoId}`;
      report(
        isGivenUp
          ? new EventDeliveryError('error', `${what} is given up, which failed ${failures} times`, cause)
          : new EventDeliveryError('warn', `${what} was not taken, try ${failures}`, cause),
      );
      await settle();
      if (isGivenUp) return outbox.delivered([event.id]);
      return outbox.retryEventsAt(clock.now() + Math.min(firstPause * 2 ** (failures - 1), pauseMax), failures);
    }
    failures = 0;
  }
  await settle();
}

/** @throws what the listener threw, or that it took too long. */
async function attempt({ onEvent, subscription, signal }: EventDelivery, event: PendingEvent): Promise<void> {
  const limit = timeLimit(attemptMax, signal);
  const ended = new Promise<never>((_, reject) => {
    limit.signal.addEventListener('abort', () => reject(limit.signal.reason as Error), { once: true });
  });
  ended.catch(() => {});
  try {
    await Promise.race([onEvent(deliveredEvent(event, subscription), limit.signal), ended]);
  } finally {
    limit.release();
  }
}

function deliveredEvent({ id, body }: PendingEvent, eventSubscriptionId: string): DeliveredEvent {
  const { metadata, ...recorded } = JSON.parse(body) as RecordedBody;
  const { accountId, ...others } = metadata;
  return { id, type: recorded.type, body: { ...recorded, metadata: { accountId, eventSubscriptionId, ...others } } };
}
