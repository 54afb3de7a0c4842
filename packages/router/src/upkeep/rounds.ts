import { type Catalogs, type Hosting, type RepoStorage, leftoverAge, sweepLeftovers } from '@packhouse/hosting';
import { everyRepo } from './every-repo.ts';
import { every } from './timer.ts';
import { repairLastPush, type MissedTouches } from './missed-touches.ts';

/** Periodic work. */
export interface Rounds {
  /** Stops the timers and waits for running work. */
  stop(): Promise<void>;
}

export interface RoundsOptions {
  readonly hosting: Pick<Hosting, 'sweep' | 'touch' | 'clock'>;
  readonly catalog: Catalogs;
  readonly storage: RepoStorage;
  readonly accounts: readonly string[];
  readonly missed: MissedTouches;
  /** Receives failures. The next round retries. */
  readonly report: (error: unknown) => void;
}

/** Milliseconds between two sweeps. With the grace of the sweep, abandoned work disappears within a minute. */
const sweepPeriod = 30_000;

/** Milliseconds between two walks over all repositories. */
const leftoverPeriod = 3_600_000;

/** Milliseconds by which a file system may round times down. A file can be this much younger than its time says. */
const timeGrain = 2_000;

/**
 * Every 30 s, sweeps half-done creations and records pushes that the catalog missed (GIT-159). At the start and once an
 * hour, removes the leftovers of dead pushes from every repository (GIT-153). The timers never keep the process alive.
 *
 * Call it before the first request: leftovers from before the start then belong to no running push, so their age does
 * not matter. The caller first sweeps operations that the last process left half done.
 */
export function startRounds(options: RoundsOptions): Rounds {
  const start = options.hosting.clock.now() - timeGrain;
  const begun = performance.now();
  // Take the larger of wall-clock and monotonic time. If the wall clock is set back, files of a running push would
  // otherwise seem to be from before the start.
  const sinceStart = (): number => Math.max(options.hosting.clock.now() - start, performance.now() - begun + timeGrain);
  let stopped = false;
  const under = new Set<Promise<void>>();
  const round = (work: () => Promise<void>, period: number, atOnce: boolean): (() => void) => {
    let busy = false;
    const run = (): void => {
      // A round may take longer than its period. Rounds of one kind never overlap.
      if (busy || stopped) return;
      busy = true;
      const done = work()
        .catch(options.report)
        .finally(() => {
          busy = false;
          under.delete(done);
        });
      under.add(done);
    };
    if (atOnce) run();
    return every(period, run);
  };
  const timers = [
    round(
      async () => {
        await options.missed.repeat(options.hosting, options.report);
        for (const account of options.accounts) await options.hosting.sweep(account);
      },
      sweepPeriod,
      false,
    ),
    round(async () => await sweepEveryRepo(options, sinceStart, () => stopped), leftoverPeriod, true),
  ];
  return {
    async stop(): Promise<void> {
      stopped = true;
      for (const end of timers) end();
      await Promise.all(under);
    },
  };
}

async function sweepEveryRepo(options: RoundsOptions, sinceStart: () => number, stopped: () => boolean): Promise<void> {
  const { catalog, storage, hosting, report } = options;
  for (const account of options.accounts) {
    for await (const record of everyRepo(catalog(account))) {
      if (stopped()) return;
      const { state, packs } = storage.repo(account, record.id, record.jurisdiction);
      // Report and go on: a failing repository must not block the others.
      await repairLastPush(hosting, { account, id: record.id }, state, record.version).catch(report);
      const now = hosting.clock.now();
      await sweepLeftovers(state, packs, now, Math.min(sinceStart(), leftoverAge)).catch(report);
    }
  }
}
