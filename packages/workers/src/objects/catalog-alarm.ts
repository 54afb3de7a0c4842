import { nextSweep, sqlCatalog } from '@packhouse/storage';
import { sqlTagStores } from '@packhouse/tagging/sql';
import { sqlPackHolders } from '@packhouse/storage/workers';
import { readConfiguration } from '../environment/configuration.ts';
import type { Environment } from '../environment/environment.ts';
import { logFailure, writeLog } from '../request/log.ts';
import { newUsage, usageFields, withinScope } from '../request/usage.ts';
import { ownHosting } from '../service/own-hosting.ts';
import { workerStorage } from '../service/storage.ts';
import type { ObjectTables } from './object-tables.ts';

/** The scheduled steps of a `CatalogObject`. */
export type CatalogStep = 'sweep';

/** The facts that a `CatalogObject` stores about itself. */
export type CatalogFact = 'account';

/** Milliseconds until the sweep finishes a creation or deletion that has not ended. */
export const sweepDelay = 35_000;

/** Milliseconds between two sweeps of unfinished work. */
const sweepPeriod = 30_000;

/** Runs the due steps of an account: undoes half-finished creations, and erases deleted repositories. Never rejects. */
export async function catalogAlarm(
  tables: ObjectTables<CatalogStep, CatalogFact>,
  environment: Environment,
): Promise<void> {
  const { driver, schedule } = tables;
  const usage = newUsage();
  await schedule.run(
    {
      async sweep() {
        const account = tables.fact('account');
        if (account === undefined) return undefined;
        const { settings } = readConfiguration(environment);
        const { repos } = workerStorage(environment, settings.account_storage_max, () => sqlPackHolders(driver));
        // The sweep itself delivers no events of the deletions that it finishes. The sink determines if they are
        // recorded.
        const hosting = ownHosting(environment, {
          catalog: (name) => sqlCatalog(driver, name),
          tags: sqlTagStores(driver),
          repos,
        });
        await withinScope({ usage }, () => hosting.sweep(account));
        const next = nextSweep(driver, account, { grace: sweepDelay, memory: settings.delete_memory * 1000 });
        return next === undefined ? undefined : Math.max(next, Date.now() + sweepPeriod);
      },
    },
    Date.now(),
    logFailure,
  );
  writeLog('info', { event: 'alarm', object: 'catalog', ...usageFields(usage) });
}
