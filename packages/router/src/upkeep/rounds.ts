import { type Catalogs, type Hosting, type RepoStorage, leftoverAge, sweepLeftovers } from '@packhouse/hosting';
import { everyRepo } from './every-repo.ts';
import { every } from './timer.ts';
import { repairLastPush, type MissedTouches } from './missed-touches.ts';

/** Work that comes round by the clock. */
export interface Rounds {
  /** Stops it and waits for what is under way. */
  stop(): Promise<void>;
}

export interface RoundsOptions {
  readonly hosting: Pick<Hosting, 'sweep' | 'touch' | 'clock'>;
  readonly catalog: Catalogs;
  readonly storage: RepoStorage;
  readonly accounts: readonly string[];
  readonly missed: MissedTouches;
  /** Told of failures; the next round tries again. */
  readonly report: (error: unknown) => void;
}

/** Milliseconds. With the grace of the service's own sweep, work without a live owner is gone within a minute. */
const sweepPeriod = 30_000;

/** Milliseconds. */
const leftoverPeriod = 3_600_000;

/** Milliseconds. File systems keep times as coarsely as this, so what seems that much older may be younger. */
const timeGrain = 2_000;

/**
 * Every 30 s, sweeps half-done creations and tells the catalog what it missed (GIT-159). At the start and once an hour,
 * looks into every repository for what dead pushes left behind (GIT-153). To be called before requests are served:
 * what was begun before belongs to no push that runs, and is removed whatever its age. The timers never keep the
 * process alive. What stood half-way when the server died is swept by the caller first.
 */
export function startRounds(options: RoundsOptions): Rounds {
  const start = options.hosting.clock.now() - timeGrain;
  const begun = performance.now();
  // Both, for a clock that is set back must not make what a running push has stored seem to be from before.
  const sinceStart = (): number => Math.max(options.hosting.clock.now() - start, performance.now() - begun + timeGrain);
  let stopped = false;
  const under = new Set<Promise<void>>();
  const round = (work: () => Promise<void>, period: number, atOnce: boolean): (() => void) => {
    let busy = false;
    const run = (): void => {
      // A round that takes longer than its period is not joined by another.
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
      // One bad repository must not keep the others from their turn.
      await repairLastPush(hosting, { account, id: record.id }, state, record.version).catch(report);
      const now = hosting.clock.now();
      await sweepLeftovers(state, packs, now, Math.min(sinceStart(), leftoverAge)).catch(report);
    }
  }
}
