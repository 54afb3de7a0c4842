import { timeLimit } from '../internal/time-limit.ts';
import type { Clock } from '@packhouse/base';
import type { DeliveredEvent, OnEvent } from '../ports/on-event.ts';
import { heldEventAge, type Outbox, type PendingEvent, type PendingEvents } from '../ports/outbox.ts';
import type { RecordedBody } from './make-event.ts';

/** Parameters of a delivery for one repository. */
export interface EventDelivery {
  readonly repoId: string;
  readonly outbox: Outbox;
  /** Looks up whether the repository is published. Called only if events were held for {@link heldEventAge}. */
  readonly isPublished: () => Promise<boolean>;
  readonly onEvent: OnEvent;
  /** `eventSubscriptionId` of REPO-191. */
  readonly subscription: string;
  /** Milliseconds from the time of an event until one more failure drops it. */
  readonly retryFor: number;
  /** Milliseconds that delivered events stay readable. */
  readonly keepFor: number;
  readonly clock: Clock;
  /** Receives an error for each failed attempt and for each event that is dropped. */
  readonly report: (error: unknown) => void;
  /** Ends the delivery. An event whose attempt it aborts is delivered again later. */
  readonly signal: AbortSignal;
}

/** A listener did not take an event. The message ends with that of `cause`. */
export class EventDeliveryError extends Error {
  override readonly name = 'EventDeliveryError';
  /** Level for the log: `error` once the event is dropped, `warn` while it is retried. */
  readonly level: 'warn' | 'error';

  constructor(level: 'warn' | 'error', message: string, cause: unknown) {
    super(`${message}: ${cause instanceof Error ? cause.message : 'unknown reason'}`, { cause });
    this.level = level;
  }
}

/** Events that are delivered before the outbox records it. After a crash, so many may be delivered twice. */
const batch = 16;
/** Milliseconds that a listener may take for one event. */
const attemptMax = 30_000;
const firstPause = 5_000;
const pauseMax = 3_600_000;

/** Returns the milliseconds before the next try of an event. Each failure doubles the pause, up to an hour. */
export function pauseAfter(failures: number): number {
  return Math.min(firstPause * 2 ** (failures - 1), pauseMax);
}

/**
 * Delivers the due events of one repository in order (REPO-190, REPO-198). An event that fails blocks those behind it.
 * Delivers at most {@link batch} events, so that other repositories have their turn. The caller must not run two
 * deliveries for one repository at the same time.
 *
 * @returns when to call it again, in milliseconds since 1970. Undefined if no event waits.
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
      return outbox.retryEventsAt(clock.now() + pauseAfter(failures), failures);
    }
    failures = 0;
  }
  await settle();
}

/** @throws the error of the listener, of a timeout, or of the aborted signal. */
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

/** Makes the event as receivers get it. */
export function deliveredEvent(
  { id, body }: Pick<PendingEvent, 'id' | 'body'>,
  eventSubscriptionId: string,
): DeliveredEvent {
  const { metadata, ...recorded } = JSON.parse(body) as RecordedBody;
  const { accountId, ...others } = metadata;
  return { id, type: recorded.type, body: { ...recorded, metadata: { accountId, eventSubscriptionId, ...others } } };
}
