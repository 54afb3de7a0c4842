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

/** What a `CatalogObject` does later. */
export type CatalogStep = 'sweep';

/** What it knows of itself. */
export type CatalogFact = 'account';

/** Milliseconds after which a creation or deletion should have ended; if it has not, the sweep ends it. */
export const sweepDelay = 35_000;

/** Milliseconds between two sweeps of what does not get done. */
const sweepPeriod = 30_000;

/** Does what is due in an account: undoes creations that stopped half-way, erases what was deleted. Never rejects. */
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
        // Whether deletions that it ends are told of depends on who listens; it sends nothing itself.
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
