import type { Catalogs, HostedRepoState, Hosting, RepoRecord, RepoStorage } from '@packhouse/hosting';
import { sweepLeftovers } from '@packhouse/storage';
import { everyRepo } from './every-repo.ts';

/** The work that comes round by the clock. */
export interface Upkeep {
  /** Stops it and waits for what is under way. */
  stop(): Promise<void>;
}

export interface UpkeepOptions {
  readonly hosting: Pick<Hosting, 'sweep' | 'touch' | 'clock'>;
  readonly catalog: Catalogs;
  readonly storage: RepoStorage;
  readonly accounts: readonly string[];
  /** Told of failures; the next round tries again. */
  readonly report: (error: unknown) => void;
}

/** Milliseconds. With the grace of the service's own sweep, work without a live owner is gone within a minute. */
const sweepPeriod = 30_000;

/** Milliseconds (GIT-153). */
const leftoverPeriod = 86_400_000;

/**
 * Sweeps half-done creations every 30 s, and what dead pushes left behind at the start and once a day (GIT-153).
 * The timers never keep the process alive. What stood half-way when the server died is swept by the caller first.
 */
export function startUpkeep(options: UpkeepOptions): Upkeep {
  let stopped = false;
  const under = new Set<Promise<void>>();
  const round = (work: () => Promise<void>, period: number, atOnce: boolean): NodeJS.Timeout => {
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
    const timer = setInterval(run, period);
    timer.unref();
    return timer;
  };
  const timers = [
    round(
      async () => {
        for (const account of options.accounts) await options.hosting.sweep(account);
      },
      sweepPeriod,
      false,
    ),
    round(async () => await sweepEveryRepo(options, () => stopped), leftoverPeriod, true),
  ];
  return {
    async stop(): Promise<void> {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.all(under);
    },
  };
}

async function sweepEveryRepo(options: UpkeepOptions, stopped: () => boolean): Promise<void> {
  const { catalog, storage, hosting, report } = options;
  for (const account of options.accounts) {
    for await (const record of everyRepo(catalog(account))) {
      if (stopped()) return;
      const { state, packs } = storage.repo(account, record.id, record.jurisdiction);
      // One bad repository must not keep the others from their turn.
      await repairLastPush(hosting, account, record, state).catch(report);
      await sweepLeftovers(state, packs, hosting.clock.now()).catch(report);
    }
  }
}

/** Tells the catalog of a push whose process died between the commit and the word of it (GIT-159). */
async function repairLastPush(
  hosting: Pick<Hosting, 'touch'>,
  account: string,
  record: RepoRecord,
  state: HostedRepoState,
): Promise<void> {
  const last = await state.lastPush();
  if (last === undefined || (record.lastPushAt ?? -1) >= last.at) return;
  const push = { pushedAt: last.at, bytes: await state.storedBytes(), version: last.version };
  await hosting.touch(account, record.id, push);
}
