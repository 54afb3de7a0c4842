import { createGitEngine, RepoGoneError, type GitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { maintainHostedRepo } from '@packhouse/hosting';
import { sqlRepoState } from '@packhouse/storage';
import type { PackReservations } from '@packhouse/storage/workers';
import { readConfiguration } from '../environment/configuration.ts';
import { packsOf } from '../service/storage.ts';
import type { OwnRepo } from './repo-steps.ts';

const mebi = 1_048_576;

/**
 * That of all repositories whose objects share this isolate, perhaps with the Worker: they take turns with its memory,
 * a fifth of the isolate in all.
 */
let engine: GitEngine | undefined;

function sharedEngine(): GitEngine {
  engine ??= createGitEngine({
    codec: nodeCodec(),
    cache: 4 * mebi,
    pageCache: 2 * mebi,
    memory: 24 * mebi,
    reads: { windowMax: mebi, inFlight: 1 },
  });
  return engine;
}

/** Milliseconds that replaced packs are kept: fetches run in isolates that nobody can ask, and take an hour at most. */
const retireGrace = 3_600_000;

/** Bytes of the largest pack that is made: some 60 operations of class A, and an alarm's time. */
const mergeMax = 512 * mebi;

/** Bytes up to which a made pack goes into rows, as that of a small push does. */
const rowsMax = 1_500_000;

/** A rewrite costs operations, so only little ones are always worth it. */
const quietMerge = { after: 60_000, alwaysMax: 8 * mebi };

/** Runs of one alarm: what one has changed, the next one looks at. */
const runsMax = 3;

export interface MaintainPlans {
  /** Has dead uploads swept a day from now. */
  readonly planSweep: () => void;
  /** Has the catalog told what the repository holds now. */
  readonly planTouch: () => void;
}

/** Merges packs, collects what no ref has reached for long, and removes replaced packs. Answers when it is due next. */
export async function maintain(repo: OwnRepo, { planSweep, planTouch }: MaintainPlans): Promise<number | undefined> {
  const { id, driver, environment, usage } = repo;
  const state = sqlRepoState(driver, id);
  const { gc_grace } = readConfiguration(environment).settings;
  const reservations: PackReservations = {
    before: (time) => repo.reservations.before(time),
    drop: (pack) => repo.reservations.drop(pack),
    async reserve(pack, at) {
      planSweep();
      await repo.reservations.reserve(pack, at);
    },
  };
  const packs = packsOf({ environment, id, jurisdiction: repo.jurisdiction, reservations, usage });
  const shared = sharedEngine();
  try {
    for (let run = 1; ; run++) {
      const now = Date.now();
      const { nextAt, ...done } = await maintainHostedRepo(
        shared,
        { state, packs },
        {
          now,
          grace: gc_grace * 1000,
          retireGrace,
          mergeMax,
          rowsMax,
          quietMerge,
          inUse: () => false,
          newId: () => crypto.randomUUID(),
        },
      );
      if (done.madePacks + done.mergedPacks > 0) planTouch();
      if (run === runsMax || nextAt === undefined || nextAt > now) return nextAt;
    }
  } catch (error) {
    // A repository that was deleted needs nothing.
    if (error instanceof RepoGoneError) return undefined;
    throw error;
  } finally {
    usage.bytesReserved = Math.max(usage.bytesReserved, shared.admission.reservedMost);
  }
}
