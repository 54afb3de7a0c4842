import { RepoGoneError, rowPackMax, WorkAbortedError, type GitEngine, type MaintenanceReport } from '@packhouse/git';
import { maintainHostedRepo, type DueRepo, type QuietMerge, type RepoStorage } from '@packhouse/hosting';
import type { Clock } from '@packhouse/base';
import { every } from './timer.ts';
import { AbandonedError, abandonable } from './abandonable.ts';

/** Repositories are merged and collected beside the requests. */
export interface Maintenance {
  /** Abandons what is under way, which leaves the repository as it was or as it was to become, and waits for its end. */
  stop(): Promise<void>;
}

/** What was done to one repository, for the log. */
export interface Maintained extends Omit<MaintenanceReport, 'nextAt'> {
  readonly repo: DueRepo;
  readonly milliseconds: number;
}

export interface MaintenanceOptions {
  /** Repositories whose maintenance is due, the longest due first; at most `limit`. */
  readonly due: (now: number, limit: number) => readonly DueRepo[];
  readonly storage: Pick<RepoStorage, 'repo'>;
  readonly engine: GitEngine;
  readonly clock: Clock;
  /** Milliseconds that unreachable objects are kept (LIM-064). */
  readonly grace: number;
  /** Told where something was done. */
  readonly done: (maintained: Maintained) => Promise<void>;
  /** Told of failures; it is tried again later. */
  readonly report: (error: unknown) => void;
}

/** Milliseconds between two looks at what is due. Pushes that come meanwhile to one repository are one work. */
const period = 1_000;

/** Looked at together; those that failed a moment ago are passed over. */
const dueMax = 100;

/** Milliseconds that replaced packs are kept at most; running requests of this process keep theirs for themselves. */
const retireGraceMax = 60_000;

/** Milliseconds until a repository that failed has its next turn; doubled with each failure up to an hour. */
const firstDelay = 5_000;
const delayMax = 3_600_000;

/** Then a repository is likely to be left alone for a while. */
const quietMerge: QuietMerge = { after: 60_000, alwaysMax: 64 * 1_048_576 };

interface Failure {
  readonly count: number;
  readonly notBefore: number;
}

/**
 * Maintains repositories one after the other, off the path of requests: whatever the storage says is due, from now
 * until it is stopped. The timer never keeps the process alive.
 */
export function startMaintenance(options: MaintenanceOptions): Maintenance {
  const { due, clock, report } = options;
  const stopping = new AbortController();
  const failures = new Map<string, Failure>();
  let busy: Promise<void> | undefined;

  const maintain = async (repo: DueRepo): Promise<void> => {
    try {
      await maintainOne(options, repo, stopping.signal);
      failures.delete(repo.id);
    } catch (error) {
      if (error instanceof AbandonedError || error instanceof WorkAbortedError) return;
      // A deleted repository needs nothing.
      if (error instanceof RepoGoneError) return void failures.delete(repo.id);
      report(error);
      const count = (failures.get(repo.id)?.count ?? 0) + 1;
      failures.set(repo.id, { count, notBefore: clock.now() + Math.min(firstDelay * 2 ** (count - 1), delayMax) });
    }
  };
  const round = async (): Promise<void> => {
    for (const repo of due(clock.now(), dueMax + failures.size)) {
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
  { storage, engine, clock, grace, done }: MaintenanceOptions,
  repo: DueRepo,
  signal: AbortSignal,
): Promise<void> {
  const { id, state, packs } = storage.repo(repo.account, repo.id, 'unrestricted');
  const now = clock.now();
  const { nextAt: _, ...counts } = await maintainHostedRepo(
    engine,
    { id, state, packs: abandonable(packs, signal) },
    {
      now,
      grace,
      retireGrace: Math.min(grace, retireGraceMax),
      mergeMax: Number.MAX_SAFE_INTEGER,
      rowsMax: rowPackMax,
      quietMerge,
      inUse: (id) => engine.leases.has(id),
      newId: () => crypto.randomUUID(),
      signal,
    },
  ).catch(async (error: unknown) => {
    // Of a repository that was deleted meanwhile, and its files with it, the state says so.
    const failure: unknown = await state.snapshot().then(
      () => error,
      (now: unknown) => (now instanceof RepoGoneError ? now : error),
    );
    throw failure;
  });
  if (counts.mergedPacks + counts.madePacks + counts.removedPacks > 0) {
    await done({ repo, milliseconds: clock.now() - now, ...counts });
  }
}
