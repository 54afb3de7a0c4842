import type { Clock } from '@packhouse/base';
import type { RepoIdentity } from '@packhouse/hosting';
import type { NodeStorage } from '@packhouse/storage/node';

/** Events are handed over beside the requests. */
export interface EventDelivery {
  /** Ends what is under way, which comes again at the next start, and waits for its end. */
  stop(): Promise<void>;
}

export interface EventDeliveryOptions {
  readonly events: NodeStorage['events'];
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
          setTimeout(() => busy.delete(repo.id), failurePause).unref();
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
    setImmediate(() => {
      isPlanned = false;
      round();
    });
  };
  const timer = setInterval(
    () => {
      try {
        events.forgetKept(clock.now());
      } catch (error) {
        report(error);
      }
      round();
    },
    deliver === undefined ? idlePeriod : period,
  );
  timer.unref();
  events.whenRecorded(look);
  look();
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await Promise.all(busy.values());
    },
  };
}
