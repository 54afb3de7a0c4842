import { deletionOr, RepoGoneError, WorkAbortedError, type GitEngine, type MaintenanceReport } from '@packhouse/git';
import {
  maintainHostedRepo,
  maintenanceKey,
  type DueRepo,
  type QuietMerge,
  type RepoStorage,
} from '@packhouse/hosting';
import type { Clock } from '@packhouse/base';
import { every } from './timer.ts';
import { AbandonedError, abandonable } from './abandonable.ts';
import type { Leasing } from './leasing.ts';

/** The maintenance of repositories in the background: merging packs and dropping unreachable objects. */
export interface Maintenance {
  /**
   * Aborts the running maintenance and waits for its end. The repository is then unchanged or completely maintained,
   * never in between.
   */
  stop(): Promise<void>;
}

/** The record of one maintenance of a repository, for the log. */
export interface Maintained extends Omit<MaintenanceReport, 'nextAt'> {
  readonly repo: DueRepo;
  readonly milliseconds: number;
}

export interface MaintenanceOptions {
  /** Returns at most `limit` repositories whose maintenance is due, the longest due first. */
  readonly due: (now: number, limit: number) => Promise<readonly DueRepo[]>;
  readonly leasing: Leasing;
  readonly engine: GitEngine;
  readonly clock: Clock;
  /** Milliseconds that unreachable objects are kept (LIM-064). */
  readonly grace: number;
  /** Receives a record of each maintenance that changed something. */
  readonly done: (maintained: Maintained) => Promise<void>;
  /** Receives failures. The maintenance is retried later. */
  readonly report: (error: unknown) => void;
}

/** Milliseconds between two checks for due repositories. */
const period = 1_000;

/**
 * Milliseconds that a due repository waits, so that the pushes of this time are merged once. Each push reads the list of
 * packs, so a longer time costs a busy repository more than it saves.
 */
const settleTime = 1_500;

/** Maximum bytes of a merged pack in the database, which writes a byte twice: to its log, then to its file. */
const mergedRowsMax = 262_144;

/** Maximum number of repositories in one round. Repositories that wait for a retry are skipped and do not count. */
const dueMax = 100;

/** Longest time in milliseconds that replaced packs stay. Packs that requests of this process read stay longer. */
const retireGraceMax = 60_000;

/** The same if other servers may read the packs (REPO-333). */
export const sharedRetireGraceMax = 3_600_000;

/** Milliseconds until the first retry after a failure. Each further failure doubles the delay, up to an hour. */
const firstDelay = 5_000;
const delayMax = 3_600_000;

/** A repository without a push for this time will probably get no push for a while, so merging all its packs pays. */
const quietMerge: QuietMerge = { after: 60_000, alwaysMax: 64 * 1_048_576 };

interface Failure {
  readonly count: number;
  readonly notBefore: number;
}

/**
 * Maintains due repositories in the background, one after the other, until `stop`. The timer never keeps the process
 * alive.
 */
export function startMaintenance(options: MaintenanceOptions): Maintenance {
  const { due, clock, report, leasing } = options;
  const stopping = new AbortController();
  const failures = new Map<string, Failure>();
  let busy: Promise<void> | undefined;

  const maintain = async (repo: DueRepo): Promise<void> => {
    try {
      // Skips a repository that another server maintains: it stays due.
      await leasing.run(maintenanceKey(repo.id), { signal: stopping.signal }, async ({ repos }, signal) => {
        await maintainOne(options, repos, repo, signal);
      });
      failures.delete(repo.id);
    } catch (error) {
      if (error instanceof AbandonedError || error instanceof WorkAbortedError) return;
      // A deleted repository needs no maintenance.
      if (error instanceof RepoGoneError) return void failures.delete(repo.id);
      report(error);
      const count = (failures.get(repo.id)?.count ?? 0) + 1;
      failures.set(repo.id, { count, notBefore: clock.now() + Math.min(firstDelay * 2 ** (count - 1), delayMax) });
    }
  };
  const round = async (): Promise<void> => {
    for (const repo of await due(clock.now() - settleTime, dueMax + failures.size)) {
      if (stopping.signal.aborted) return;
      if ((failures.get(repo.id)?.notBefore ?? 0) <= clock.now()) await maintain(repo);
    }
  };
  const end = every(period, () => {
    busy ??= round()
      .catch(report)
      .finally(() => {
        busy = undefined;
      });
  });
  return {
    async stop(): Promise<void> {
      end();
      stopping.abort();
      await busy;
    },
  };
}

async function maintainOne(
  { leasing, engine, clock, grace, done }: MaintenanceOptions,
  storage: Pick<RepoStorage, 'repo'>,
  repo: DueRepo,
  signal: AbortSignal,
): Promise<void> {
  const opened = storage.repo(repo.account, repo.id, 'unrestricted');
  const now = clock.now();
  const { nextAt: _, ...counts } = await maintainHostedRepo(
    engine,
    { ...opened, packs: abandonable(opened.packs, signal) },
    {
      now,
      grace,
      retireGrace: Math.min(grace, leasing.isShared ? sharedRetireGraceMax : retireGraceMax),
      mergeMax: Number.MAX_SAFE_INTEGER,
      rowsMax: mergedRowsMax,
      quietMerge,
      inUse: (id) => engine.leases.has(id),
      newId: () => crypto.randomUUID(),
      signal,
    },
  ).catch(async (error: unknown) => {
    throw await deletionOr(error, opened);
  });
  if (counts.mergedPacks + counts.madePacks + counts.removedPacks > 0) {
    await done({ repo, milliseconds: clock.now() - now, ...counts });
  }
}
