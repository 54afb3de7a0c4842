import { createHosting } from '@packhouse/hosting';
import { nextSweep, sqlCatalog } from '@packhouse/storage';
import { sqlTagStores } from '@packhouse/tagging/sql';
import type { SqlDriver } from '@packhouse/base';
import { sqlPackHolders } from '@packhouse/storage/workers';
import { readConfiguration } from '../environment/configuration.ts';
import type { Environment } from '../environment/environment.ts';
import { isolateEngine } from '../service/isolate-engine.ts';
import { logFailure, writeLog } from '../service/log.ts';
import { workerStorage } from '../service/storage.ts';
import { workerOutbound } from '../service/worker-outbound.ts';
import { newUsage, usageFields, withinScope } from '../service/usage.ts';
import type { Facts } from './facts.ts';
import type { Schedule } from './schedule.ts';

/** What a `CatalogObject` does later. */
export type CatalogStep = 'sweep';

/** What it knows of itself. */
export type CatalogFact = 'account';

/** Milliseconds after which a creation or deletion should have ended; if it has not, the sweep ends it. */
export const sweepDelay = 35_000;

/** Milliseconds between two sweeps of what does not get done. */
const sweepPeriod = 30_000;

export interface CatalogAlarmOptions {
  readonly driver: SqlDriver;
  readonly schedule: Schedule<CatalogStep>;
  readonly facts: Facts<CatalogFact>;
  readonly environment: Environment;
}

/** Does what is due in an account: undoes creations that stopped half-way, erases what was deleted. Never rejects. */
export async function catalogAlarm(options: CatalogAlarmOptions): Promise<void> {
  const { driver, schedule, facts, environment } = options;
  const usage = newUsage();
  await schedule.run(
    {
      async sweep() {
        const account = facts.get('account');
        if (account === undefined) return undefined;
        const { dialect, settings } = readConfiguration(environment);
        const hosting = createHosting({
          catalog: (name) => sqlCatalog(driver, name),
          tags: sqlTagStores(driver),
          storage: workerStorage(environment, settings.account_storage_max, () => sqlPackHolders(driver)).storage,
          engine: isolateEngine(),
          authorizer: { authorize: async () => undefined },
          // It sends nothing; that deletions which it ends are told of hangs on who listens.
          outbound: workerOutbound(environment),
          dialect,
          settings,
          report: logFailure,
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
