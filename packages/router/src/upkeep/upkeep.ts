import type { GitEngine } from '@packhouse/git';
import type { Catalogs, DueWork, Hosting, RepoStorage } from '@packhouse/hosting';
import { startEventDelivery } from './event-delivery.ts';
import { startMaintenance, type Maintained } from './maintenance.ts';
import { MissedTouches, repairLastPush } from './missed-touches.ts';
import { startRounds } from './rounds.ts';

/** The work that one process does beside requests. */
export interface Upkeep {
  /** Receives pushes that the catalog did not record, for the next round. */
  readonly missed: MissedTouches;
  /** Stops all of it and waits for its end. What is abandoned is done again after the next start. */
  stop(): Promise<void>;
}

export interface UpkeepOptions {
  readonly hosting: Hosting;
  readonly engine: GitEngine;
  readonly storage: Partial<DueWork> & { readonly catalog: Catalogs; readonly repos: RepoStorage };
  readonly accounts: readonly string[];
  /** Receives failures; the work is tried again later. */
  readonly report: (error: unknown) => void;
  /** Receives what maintenance did to a repository. */
  readonly maintained?: ((maintained: Maintained) => void) | undefined;
}

/** Finishes or undoes what stopped half-way when the last process ended, then starts everything that comes round. */
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
        // It holds less now (LIM-012).
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
