import type { GitEngine } from '@packhouse/git';
import type { Catalogs, DueWork, Hosting, RepoStorage } from '@packhouse/hosting';
import { startEventDelivery } from './event-delivery.ts';
import { startMaintenance, type Maintained } from './maintenance.ts';
import { MissedTouches, repairLastPush } from './missed-touches.ts';
import { startRounds } from './rounds.ts';

/** The background work of one process. */
export interface Upkeep {
  /** Receives pushes that could not be recorded in the catalog. The next round retries them. */
  readonly missed: MissedTouches;
  /** Stops all background work and waits for its end. The next start repeats aborted work. */
  stop(): Promise<void>;
}

export interface UpkeepOptions {
  readonly hosting: Hosting;
  readonly engine: GitEngine;
  readonly storage: Partial<DueWork> & { readonly catalog: Catalogs; readonly repos: RepoStorage };
  readonly accounts: readonly string[];
  /** Receives failures. The work is retried later. */
  readonly report: (error: unknown) => void;
  /** Receives a record of each maintenance of a repository. Default: no call. */
  readonly maintained?: ((maintained: Maintained) => void) | undefined;
}

/** Finishes or undoes operations that the last process left half done, then starts all background work. */
export async function startUpkeep(options: UpkeepOptions): Promise<Upkeep> {
  const { hosting, engine, storage, accounts, report } = options;
  const { clock } = hosting;
  const { due, events } = storage;
  for (const account of accounts) await hosting.sweep(account, { grace: 0 });
  const missed = new MissedTouches();
  const parts = [startRounds({ hosting, catalog: storage.catalog, storage: storage.repos, accounts, missed, report })];
  if (due !== undefined) {
    const maintenance = startMaintenance({
      due,
      storage: storage.repos,
      engine,
      clock,
      grace: hosting.settings.gc_grace * 1000,
      report,
      async done(maintained) {
        options.maintained?.(maintained);
        const { account, id } = maintained.repo;
        // Record the smaller size of the repository (LIM-012).
        await repairLastPush(hosting, { account, id }, storage.repos.repo(account, id, 'unrestricted').state);
      },
    });
    parts.push(maintenance);
  }
  if (events !== undefined) {
    const deliver: typeof hosting.deliverEvents = (repo, signal) => hosting.deliverEvents(repo, signal);
    const delivery = startEventDelivery({ events, deliver: hosting.hasListener ? deliver : undefined, clock, report });
    parts.push(delivery);
  }
  return {
    missed,
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}
