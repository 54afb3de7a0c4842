import { NotEnoughMemoryError, RepoGoneError, rowPackMax, type MaintenanceReport } from '@packhouse/git';
import { maintainHostedRepo, type HostedRepo } from '@packhouse/hosting';
import { sqlRepoState } from '@packhouse/storage';
import { readConfiguration } from '../environment/configuration.ts';
import { isolateEngine } from '../service/isolate-engine.ts';
import type { OwnRepo } from './repo-steps.ts';

const mebi = 1_048_576;

/** Milliseconds that replaced packs are kept: fetches run in isolates that nobody can ask, and take an hour at most. */
const retireGrace = 3_600_000;

/**
 * Bytes of the largest pack that is made: some 60 operations of class A, and an alarm's time. Where the memory does not
 * suffice for the tables of that many objects, less: then large packs stay as they are, and small ones are merged.
 */
const mergeLimits = [512 * mebi, 128 * mebi, 32 * mebi, 8 * mebi] as const;

/** A rewrite costs operations, so only little ones are always worth it. */
const quietMerge = { after: 60_000, alwaysMax: 8 * mebi };

/** Runs of one alarm: what one has changed, the next one looks at. */
const runsMax = 3;

/**
 * Merges packs, collects what no ref has reached for long, and removes replaced packs. Answers when it is due next.
 *
 * @param planTouch has the catalog told what the repository holds now.
 */
export async function maintain(repo: OwnRepo, planTouch: () => void): Promise<number | undefined> {
  const hosted = { id: repo.id, state: sqlRepoState(repo.driver, repo.id), packs: repo.packs };
  const grace = readConfiguration(repo.environment).settings.gc_grace * 1000;
  try {
    for (let run = 1; ; run++) {
      const now = Date.now();
      const done = await maintainWithin(hosted, grace, now);
      if (done.mergedPacks > 0) planTouch();
      if (run === runsMax || done.nextAt === undefined || done.nextAt > now) return done.nextAt;
    }
  } catch (error) {
    // A repository that was deleted needs nothing.
    if (error instanceof RepoGoneError) return undefined;
    throw error;
  } finally {
    repo.usage.bytesReserved = isolateEngine().admission.reservedMost;
  }
}

/** Maintains once, as far as the memory goes. */
async function maintainWithin(repo: HostedRepo, grace: number, now: number): Promise<MaintenanceReport> {
  for (let limit = 0; ; limit++) {
    try {
      return await maintainHostedRepo(isolateEngine(), repo, {
        now,
        grace,
        retireGrace,
        mergeMax: mergeLimits[limit] ?? 0,
        rowsMax: rowPackMax,
        quietMerge,
        inUse: () => false,
        newId: () => crypto.randomUUID(),
      });
    } catch (error) {
      if (!(error instanceof NotEnoughMemoryError) || limit === mergeLimits.length - 1) throw error;
    }
  }
}
