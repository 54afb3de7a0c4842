import { RepoGoneError } from '@packhouse/git';
import { type Hosting, type WorkStorage, leftoverAge, sweepLeftovers } from '@packhouse/hosting';
import { everyRepo } from './every-repo.ts';
import type { Leasing } from './leasing.ts';
import { every } from './timer.ts';
import { repairLastPush, type MissedTouches } from './missed-touches.ts';

/** Periodic work. */
export interface Rounds {
  /** Stops the timers and waits for running work. */
  stop(): Promise<void>;
}

export interface RoundsOptions {
  readonly hosting: Pick<Hosting, 'sweep' | 'touch' | 'clock'>;
  readonly leasing: Leasing;
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
 * Sweeps half-done operations before it returns and every 30 s, and records pushes that the catalog missed (GIT-159). At
 * the start and once an hour, removes the leftovers of dead pushes from every repository (GIT-153). The timers never
 * keep the process alive.
 *
 * Call it before the first request. If no other server uses the storage, operations and leftovers from before the start
 * belong to no running process, so their age does not matter.
 */
export async function startRounds(options: RoundsOptions): Promise<Rounds> {
  const { hosting, leasing, accounts, missed, report } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const sweepAll = async (grace?: number): Promise<void> => {
    // The rest is shorter than the period, so that the next round of this server finds the lease free.
    const rest = sweepPeriod / 2;
    for (const account of accounts) {
      await leasing.run(`sweep ${account}`, { signal, rest }, (storage) => hosting.sweep(account, { storage, grace }));
    }
  };
  const removeLeftovers = async (): Promise<void> => {
    const age = (): number => (leasing.isShared ? leftoverAge : Math.min(sinceStart(), leftoverAge));
    const rest = leftoverPeriod / 2;
    for (const account of accounts) {
      await leasing.run(`leftovers ${account}`, { signal, rest }, (storage, leased) =>
        sweepEveryRepo(options, account, storage, age, leased),
      );
    }
  };
  await sweepAll(leasing.isShared ? undefined : 0).catch(report);
  const start = hosting.clock.now() - timeGrain;
  const begun = performance.now();
  // Take the larger of wall-clock and monotonic time. If the wall clock is set back, files of a running push would
  // otherwise seem to be from before the start.
  const sinceStart = (): number => Math.max(hosting.clock.now() - start, performance.now() - begun + timeGrain);
  const under = new Set<Promise<void>>();
  const round = (work: () => Promise<void>, period: number, atOnce: boolean): (() => void) => {
    let busy = false;
    const run = (): void => {
      // A round may take longer than its period. Rounds of one kind never overlap.
      if (busy || signal.aborted) return;
      busy = true;
      const done = work()
        .catch((error: unknown) => {
          if (!signal.aborted) report(error);
        })
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
        await missed.repeat(hosting, report);
        await sweepAll();
      },
      sweepPeriod,
      false,
    ),
    round(removeLeftovers, leftoverPeriod, true),
  ];
  return {
    async stop(): Promise<void> {
      stopping.abort();
      for (const end of timers) end();
      await Promise.all(under);
    },
  };
}

async function sweepEveryRepo(
  { hosting, report }: RoundsOptions,
  account: string,
  { catalog, repos }: WorkStorage,
  age: () => number,
  signal: AbortSignal,
): Promise<void> {
  for await (const record of everyRepo(catalog(account))) {
    signal.throwIfAborted();
    const { state, packs } = repos.repo(account, record.id, record.jurisdiction);
    // Report and go on: a failing repository must not block the others.
    await repairLastPush(hosting, { account, id: record.id }, state, record.version).catch(async (error: unknown) => {
      const isDeleted = error instanceof RepoGoneError && (await catalog(account).repoById(record.id)) === undefined;
      if (!isDeleted) report(error);
    });
    await sweepLeftovers(state, packs, hosting.clock.now(), age()).catch(report);
  }
}
