import { sqlPackReservations, type PackReservations } from '@packhouse/storage/workers';
import type { Environment } from '../environment/environment.ts';
import { logFailure, writeLog } from '../request/log.ts';
import { newUsage, usageFields } from '../request/usage.ts';
import { packsOf, remoteHolders } from '../service/storage.ts';
import { maintain } from './maintain.ts';
import type { ObjectTables } from './object-tables.ts';
import { deliverOwnEvents, type OwnImport } from './own-import.ts';
import { moveManyRows, preparedRecords, sweepUploads, tellCatalog, uploadAge, type OwnRepo } from './repo-steps.ts';
import type { Step } from './schedule.ts';

/** The scheduled steps of a `RepoObject`. */
export type RepoStep = 'touch' | 'move rows' | 'maintain' | 'sweep uploads' | 'deliver events' | 'import';

/** The facts that a `RepoObject` stores about itself, in addition to its state. */
export type RepoFact = 'jurisdiction' | 'account';

/** Milliseconds from a push until the object reports it to the catalog, in case the Worker has not. */
export const touchDelay = 30_000;

/** Milliseconds from a push until maintenance. Equal to {@link touchDelay}, so that both share one alarm. */
export const maintainDelay = 30_000;

/** Milliseconds from a push that left too many packs in rows until the rest of them is moved. */
export const moveDelay = 60_000;

export interface RepoAlarmOptions {
  readonly tables: ObjectTables<RepoStep, RepoFact>;
  readonly environment: Environment;
  /** The import that was requested from this instance of the object. */
  readonly ownImport: OwnImport | undefined;
  /** Called when there are undelivered events. */
  readonly queued: () => void;
}

/** Runs the due steps of a repository. Never rejects. */
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
      // A repository that was erased before it began has none of these, and needs no work.
      if (row === undefined || jurisdiction === undefined || account === undefined) return undefined;
      const { id } = row;
      const noted = sqlPackReservations(driver, id);
      const reservations: PackReservations = {
        before: (time) => noted.before(time),
        drop: (pack) => noted.drop(pack),
        async reserve(begun, at) {
          // Removes the uploads of a step that dies half-way.
          schedule.plan('sweep uploads', at + uploadAge);
          await noted.reserve(begun, at);
        },
      };
      const holders = remoteHolders(environment, account, usage);
      const packs = packsOf({ environment, account, id, jurisdiction, reservations, holders, usage });
      const prepared = preparedRecords(tables, id);
      return work({ id, account, driver, packs, reservations, prepared, environment, usage, now });
    };
  await schedule.run(
    {
      touch: step('touch', tellCatalog),
      'move rows': step('move rows', moveManyRows),
      // If the object has died in between, the sweep undoes the import (REPO-133).
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
  // Only the catalog knows the name of the repository.
  const whose = row === undefined ? {} : { account, repo_id: row.id };
  writeLog('info', { event: 'alarm', object: 'repo', ...whose, steps: done.join(', '), ...usageFields(usage) });
}
