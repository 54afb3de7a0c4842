import { RepoGoneError, rowPackMax } from '@packhouse/git';
import { maintainHostedRepo } from '@packhouse/hosting';
import { sqlRepoState } from '@packhouse/storage';
import { readConfiguration } from '../environment/configuration.ts';
import { isolateEngine } from '../service/isolate-engine.ts';
import type { OwnRepo } from './repo-steps.ts';

const mebi = 1_048_576;

/** Milliseconds to keep replaced packs. Other isolates may still read them for a fetch, which takes at most an hour. */
const retireGrace = 3_600_000;

/** Bytes of the largest pack that a merge makes. It fits the time of an alarm, with about 60 operations of class A. */
const mergeMax = 512 * mebi;

/** A rewrite costs operations, so only a small one is always worth its cost. */
const quietMerge = { after: 60_000, alwaysMax: 8 * mebi };

/** Number of maintenance runs in one alarm. Each run works on the result of the previous one. */
const runsMax = 3;

/**
 * Merges packs, collects objects that have been unreachable for the grace, and removes replaced packs. Returns the time
 * of the next maintenance (milliseconds since 1970), if any.
 *
 * @param planTouch plans a report of the repository's new size to the catalog.
 */
export async function maintain(repo: OwnRepo, planTouch: () => void): Promise<number | undefined> {
  const { id, packs, prepared } = repo;
  const hosted = { id, packs, prepared, state: sqlRepoState(repo.driver, id) };
  const grace = readConfiguration(repo.environment).settings.gc_grace * 1000;
  try {
    for (let run = 1; ; run++) {
      const now = Date.now();
      const done = await maintainHostedRepo(isolateEngine(), hosted, {
        now,
        grace,
        retireGrace,
        mergeMax,
        rowsMax: rowPackMax,
        deltas: false,
        quietMerge,
        inUse: () => false,
        newId: () => crypto.randomUUID(),
      });
      if (done.mergedPacks > 0) planTouch();
      if (run === runsMax || done.nextAt === undefined || done.nextAt > now) return done.nextAt;
    }
  } catch (error) {
    // A deleted repository needs no maintenance.
    if (error instanceof RepoGoneError) return undefined;
    throw error;
  } finally {
    repo.usage.bytesReserved = isolateEngine().admission.reservedMost;
  }
}
