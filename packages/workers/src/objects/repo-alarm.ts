import type { SqlDriver } from '@packhouse/storage';
import { sqlPackReservations } from '@packhouse/storage/workers';
import type { Environment } from '../environment/environment.ts';
import { logFailure, writeLog } from '../service/log.ts';
import { packsOf } from '../service/storage.ts';
import { newUsage, usageFields } from '../service/usage.ts';
import type { Facts } from './facts.ts';
import { moveRows, sweepUploads, tellCatalog, type OwnRepo } from './repo-steps.ts';
import type { Schedule, Step } from './schedule.ts';

/** What a `RepoObject` does later. */
export type RepoStep = 'touch' | 'move rows' | 'sweep uploads';

/** What it knows of itself, beside its state. */
export type RepoFact = 'jurisdiction';

/** Small packs stay in rows until they are more than this, or their files more bytes. */
export const rowPacksMax = 32;
export const rowBytesMax = 4_000_000;

/** Milliseconds after a push in which the Worker tells the catalog of it. Then the object does, in case it did not. */
export const touchDelay = 30_000;

export interface RepoAlarmOptions {
  readonly driver: SqlDriver;
  readonly schedule: Schedule<RepoStep>;
  readonly facts: Facts<RepoFact>;
  readonly environment: Environment;
}

/** Does what is due in a repository. Never rejects. */
export async function repoAlarm(options: RepoAlarmOptions): Promise<void> {
  const { driver, schedule, facts, environment } = options;
  const usage = newUsage();
  const now = Date.now();
  const [row] = driver.all<{ id: string; account: string }>('SELECT id, account FROM repos LIMIT 1');
  const jurisdiction = facts.get('jurisdiction');
  const done: string[] = [];
  const step =
    (name: RepoStep, work: (repo: OwnRepo) => Promise<number | undefined>): Step =>
    async () => {
      done.push(name);
      // One that was erased before it began has neither, and nothing to do.
      if (row === undefined || jurisdiction === undefined) return undefined;
      const reservations = sqlPackReservations(driver, row.id);
      const packs = packsOf({ environment, id: row.id, jurisdiction, reservations, usage });
      return work({ ...row, driver, packs, reservations, environment, usage, now });
    };
  await schedule.run(
    {
      touch: step('touch', tellCatalog),
      'move rows': step('move rows', moveRows),
      'sweep uploads': step('sweep uploads', sweepUploads),
    },
    now,
    logFailure,
  );
  writeLog('info', { event: 'alarm', object: 'repo', steps: done.join(', '), ...usageFields(usage) });
}
