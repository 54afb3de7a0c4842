import type { Clock } from '@packhouse/base';
import type { DueEvents, RepoIdentity } from '@packhouse/hosting';
import { every, keepNothingAlive } from './timer.ts';

/** The delivery of events in the background. */
export interface EventDelivery {
  /** Checks soon for due events. Call it when events may have become due. */
  look(): void;
  /** Aborts running deliveries and waits for them. The next start repeats them. */
  stop(): Promise<void>;
}

export interface EventDeliveryOptions {
  readonly events: Pick<DueEvents, 'due'> & Partial<Pick<DueEvents, 'forgetKept'>>;
  /**
   * Delivers the due events of one repository. Returns false if another server does. Undefined without a listener; then
   * kept events only expire.
   */
  readonly deliver: ((repo: RepoIdentity, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Maximum number of repositories at the same time. A slow delivery delays no other. Default 16. */
  readonly atOnce?: number;
  readonly clock: Clock;
  /** Receives failures of the storage. The work is retried later. */
  readonly report: (error: unknown) => void;
}

/** Milliseconds between two checks for due events, if no event was recorded meanwhile. */
const period = 1_000;
/** Milliseconds between two checks without a listener. */
const idlePeriod = 60_000;

/** Milliseconds until the retry for a repository whose storage failed, or whose events another server delivers. */
const failurePause = 5_000;

/** Delivers events until `stop`. The timer never keeps the process alive. */
export function startEventDelivery(options: EventDeliveryOptions): EventDelivery {
  const { events, deliver, atOnce = 16, clock, report } = options;
  const stopping = new AbortController();
  /** Deliveries by repo id. Of a delivery that failed, the entry stays until the retry is allowed. */
  const busy = new Map<string, Promise<void>>();
  let active = 0;
  let isPlanned = false;
  let isQueued = false;
  let mayForget = false;
  /** Checks run one after the other, so that none starts a delivery by a list from before another one. */
  let checks = Promise.resolve();

  const start = (repo: RepoIdentity, deliver: NonNullable<EventDeliveryOptions['deliver']>): void => {
    active += 1;
    const work = deliver(repo, stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) report(error);
        return false;
      })
      .then((isDone) => {
        if (isDone) busy.delete(repo.id);
        else keepNothingAlive(setTimeout(() => busy.delete(repo.id), failurePause));
      })
      .then(() => {
        active -= 1;
        look();
      });
    busy.set(repo.id, work);
  };
  const forget = async (): Promise<void> => {
    if (!mayForget || stopping.signal.aborted) return;
    mayForget = false;
    await events.forgetKept?.(clock.now());
  };
  const startDue = async (): Promise<void> => {
    if (deliver === undefined || stopping.signal.aborted || active >= atOnce) return;
    const due = await events.due(clock.now(), atOnce + busy.size);
    if (stopping.signal.aborted) return;
    const idle = due.filter(({ id }) => !busy.has(id));
    for (const repo of idle.slice(0, atOnce - active)) start({ ...repo, jurisdiction: 'unrestricted' }, deliver);
  };
  const check = async (): Promise<void> => {
    isQueued = false;
    await forget().catch(report);
    await startDue().catch(report);
  };
  const queue = (): void => {
    if (isQueued) return;
    isQueued = true;
    checks = checks.then(check);
  };
  /** Plans one check for all events that are recorded in this turn of the event loop. */
  const look = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      queue();
    });
  };
  const end = every(deliver === undefined ? idlePeriod : period, () => {
    mayForget = true;
    queue();
  });
  look();
  return {
    look,
    async stop(): Promise<void> {
      end();
      stopping.abort();
      await checks;
      await Promise.all(busy.values());
    },
  };
}
