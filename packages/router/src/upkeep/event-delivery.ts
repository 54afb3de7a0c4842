import type { Clock } from '@packhouse/base';
import type { DueEvents, RepoIdentity } from '@packhouse/hosting';
import { every, keepNothingAlive } from './timer.ts';

/** Events are handed over beside the requests. */
export interface EventDelivery {
  /** Ends what is under way, which comes again at the next start, and waits for its end. */
  stop(): Promise<void>;
}

export interface EventDeliveryOptions {
  readonly events: DueEvents;
  /** Hands over what is due of one repository. Undefined: nobody listens, and only what was kept is forgotten in time. */
  readonly deliver: ((repo: RepoIdentity, signal: AbortSignal) => Promise<unknown>) | undefined;
  readonly clock: Clock;
  /** Told of failures of the storage; it is tried again later. */
  readonly report: (error: unknown) => void;
}

/** Milliseconds between two looks at what is due, where nothing was recorded meanwhile. */
const period = 1_000;
/** The same where nobody listens. */
const idlePeriod = 60_000;

/** Repositories of which events are on their way at once: one that is slow keeps only its own waiting. */
const atOnce = 16;

/** Milliseconds until a repository whose storage failed has its next turn. */
const failurePause = 5_000;

/** Hands over events, from now until it is stopped. The timer never keeps the process alive. */
export function startEventDelivery({ events, deliver, clock, report }: EventDeliveryOptions): EventDelivery {
  const stopping = new AbortController();
  /** By repo id, with those that have to wait after a failure. */
  const busy = new Map<string, Promise<void>>();
  let active = 0;
  let isPlanned = false;

  const start = (repo: RepoIdentity, deliver: NonNullable<EventDeliveryOptions['deliver']>): void => {
    active += 1;
    const work = deliver(repo, stopping.signal)
      .then(
        () => busy.delete(repo.id),
        (error: unknown) => {
          if (stopping.signal.aborted) return;
          report(error);
          keepNothingAlive(setTimeout(() => busy.delete(repo.id), failurePause));
        },
      )
      .then(() => {
        active -= 1;
        look();
      });
    busy.set(repo.id, work);
  };
  const round = (): void => {
    if (deliver === undefined || stopping.signal.aborted || active >= atOnce) return;
    try {
      const due = events.due(clock.now(), atOnce + busy.size).filter(({ id }) => !busy.has(id));
      for (const repo of due.slice(0, atOnce - active)) start({ ...repo, jurisdiction: 'unrestricted' }, deliver);
    } catch (error) {
      report(error);
    }
  };
  /** Soon: what is recorded together is one look. */
  const look = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      round();
    });
  };
  const end = every(deliver === undefined ? idlePeriod : period, () => {
    try {
      events.forgetKept(clock.now());
    } catch (error) {
      report(error);
    }
    round();
  });
  events.whenRecorded(look);
  look();
  return {
    async stop(): Promise<void> {
      end();
      stopping.abort();
      await Promise.all(busy.values());
    },
  };
}
