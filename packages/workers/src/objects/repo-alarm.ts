import { sqlPackReservations, type PackReservations } from '@packhouse/storage/workers';
import type { Environment } from '../environment/environment.ts';
import { logFailure, writeLog } from '../request/log.ts';
import { newUsage, usageFields } from '../request/usage.ts';
import { packsOf, remoteHolders } from '../service/storage.ts';
import { maintain } from './maintain.ts';
import type { ObjectTables } from './object-tables.ts';
import { deliverOwnEvents, type OwnImport } from './own-import.ts';
import { moveManyRows, sweepUploads, tellCatalog, uploadAge, type OwnRepo } from './repo-steps.ts';
import type { Step } from './schedule.ts';

/** What a `RepoObject` does later. */
export type RepoStep = 'touch' | 'move rows' | 'maintain' | 'sweep uploads' | 'deliver events' | 'import';

/** What it knows of itself, beside its state. */
export type RepoFact = 'jurisdiction' | 'account';

/** Milliseconds after a push in which the Worker tells the catalog of it. Then the object does, in case it did not. */
export const touchDelay = 30_000;

/** Milliseconds after a push until it is maintained: with the word to the catalog, so that it costs no further alarm. */
export const maintainDelay = 30_000;

/** Milliseconds after a push that left too much in rows until what is still there is moved. */
export const moveDelay = 60_000;

export interface RepoAlarmOptions {
  readonly tables: ObjectTables<RepoStep, RepoFact>;
  readonly environment: Environment;
  /** The import that was asked for since the object began to live. */
  readonly ownImport: OwnImport | undefined;
  /** Told when events wait to be delivered. */
  readonly queued: () => void;
}

/** Does what is due in a repository. Never rejects. */
export async function repoAlarm(options: RepoAlarmOptions): Promise<void> {
  const { tables, environment, ownImport, queued } = options;
  const { driver, schedule } = tables;
  const usage = newUsage();
  const now = Date.now();
  const [row] = driver.all<{ id: string }>('SELECT id FROM repos LIMIT 1');
  const [jurisdiction, account] = [tables.fact('jurisdiction'), tables.fact('account')];
  const done: string[] = [];
  const step =
    (name: RepoStep, work: (repo: OwnRepo) => Promise<number | undefined>): Step =>
    async () => {
      done.push(name);
      // One that was erased before it began has none of these, and nothing to do.
      if (row === undefined || jurisdiction === undefined || account === undefined) return undefined;
      const { id } = row;
      const noted = sqlPackReservations(driver, id);
      const reservations: PackReservations = {
        before: (time) => noted.before(time),
        drop: (pack) => noted.drop(pack),
        async reserve(begun, at) {
          // What a step that dies half-way leaves.
          schedule.plan('sweep uploads', at + uploadAge);
          await noted.reserve(begun, at);
        },
      };
      const holders = remoteHolders(environment, account, usage);
      const packs = packsOf({ environment, account, id, jurisdiction, reservations, holders, usage });
      return work({ id, account, driver, packs, reservations, environment, usage, now });
    };
  await schedule.run(
    {
      touch: step('touch', tellCatalog),
      'move rows': step('move rows', moveManyRows),
      // One whose object has died in between is undone by the sweep (REPO-133).
      import: step('import', async (repo) => {
        if (await ownImport?.run(repo, queued)) schedule.plan('maintain', Date.now() + maintainDelay);
        return undefined;
      }),
      maintain: step('maintain', (repo) => maintain(repo, () => schedule.plan('touch', now))),
      'sweep uploads': step('sweep uploads', sweepUploads),
      'deliver events': step('deliver events', (repo) => deliverOwnEvents(repo, jurisdiction ?? '')),
    },
    now,
    logFailure,
  );
  // Its name is known to the catalog alone.
  const whose = row === undefined ? {} : { account, repo_id: row.id };
  writeLog('info', { event: 'alarm', object: 'repo', ...whose, steps: done.join(', '), ...usageFields(usage) });
}
