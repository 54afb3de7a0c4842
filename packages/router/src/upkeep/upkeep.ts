import type { GitEngine } from '@packhouse/git';
import {
  eventsKey,
  webhooksKey,
  type DueWork,
  type Hosting,
  type WorkLeases,
  type WorkStorage,
} from '@packhouse/hosting';
import { startEventDelivery, type EventDelivery, type EventDeliveryOptions } from './event-delivery.ts';
import { createLeasing } from './leasing.ts';
import { startMaintenance, type Maintained } from './maintenance.ts';
import { MissedTouches, repairLastPush } from './missed-touches.ts';
import { startRounds } from './rounds.ts';

/** Repositories whose webhooks get events at the same time. Users choose how slow a receiver is. */
const webhooksAtOnce = 64;

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
  readonly storage: Partial<DueWork> & WorkStorage & { readonly leases?: WorkLeases };
  readonly accounts: readonly string[];
  /** Receives failures. The work is retried later. */
  readonly report: (error: unknown) => void;
  /** Receives a record of each maintenance of a repository. Default: no call. */
  readonly maintained?: ((maintained: Maintained) => void) | undefined;
}

/**
 * Finishes or undoes operations that the last process left half done, then starts all background work. If other servers
 * may use the storage, they finish their operations themselves, unless these have shown no sign of life for a while.
 */
export async function startUpkeep(options: UpkeepOptions): Promise<Upkeep> {
  const { hosting, engine, storage, accounts, report } = options;
  const { clock } = hosting;
  const { due, dueWebhooks, events } = storage;
  const leasing = createLeasing(storage.leases, storage, report);
  const missed = new MissedTouches();
  const parts = [await startRounds({ hosting, leasing, accounts, missed, report })];
  if (due !== undefined) {
    const maintenance = startMaintenance({
      due,
      leasing,
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
  const deliveries: EventDelivery[] = [];
  if (events !== undefined) {
    const deliver: EventDeliveryOptions['deliver'] = (repo, stopping) =>
      leasing.run(eventsKey(repo.id), { signal: stopping }, (leased, signal) =>
        hosting.deliverEvents(repo, signal, leased),
      );
    deliveries.push(startEventDelivery({ events, deliver: hosting.hasListener ? deliver : undefined, clock, report }));
  }
  if (dueWebhooks !== undefined && hosting.hasWebhooks) {
    const deliver: EventDeliveryOptions['deliver'] = (repo, stopping) =>
      leasing.run(webhooksKey(repo.id), { signal: stopping }, (leased, signal) =>
        hosting.deliverWebhooks(repo, signal, leased),
      );
    deliveries.push(
      startEventDelivery({ events: { due: dueWebhooks }, deliver, atOnce: webhooksAtOnce, clock, report }),
    );
  }
  events?.whenRecorded(() => {
    for (const delivery of deliveries) delivery.look();
  });
  parts.push(...deliveries);
  return {
    missed,
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}
