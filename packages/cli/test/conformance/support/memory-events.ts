import { setTimeout as wait } from 'node:timers/promises';
import type { Hosting, HostedRepo, RepoIdentity, RepoStorage } from '@packhouse/hosting';

/** Milliseconds between two checks of every repository. */
const period = 20;

/** Storage whose events are delivered until all of it is stopped. */
export interface ListenedStorage extends RepoStorage {
  /** Starts the delivery. */
  start(hosting: Hosting): void;
  stop(): Promise<void>;
}

/** Delivers events, also to webhooks, as the server does for a data folder. This storage does not report what is due. */
export function listened(storage: RepoStorage): ListenedStorage {
  const all = new Map<string, RepoIdentity>();
  const stopping = new AbortController();
  let work: Promise<unknown> | undefined;
  return {
    ...storage,
    repo(account, id, jurisdiction): HostedRepo {
      all.set(`${account}/${id}`, { account, id, jurisdiction });
      return storage.repo(account, id, jurisdiction);
    },
    start(hosting) {
      const deliveries = [
        ...(hosting.hasListener ? [hosting.deliverEvents] : []),
        ...(hosting.hasWebhooks ? [hosting.deliverWebhooks] : []),
      ];
      const rounds = async (deliver: Hosting['deliverEvents']): Promise<void> => {
        while (!stopping.signal.aborted) {
          await Promise.all([...all.values()].map((repo) => deliver(repo, stopping.signal)));
          await wait(period);
        }
      };
      work = Promise.all(deliveries.map((deliver) => rounds(deliver).catch(hosting.report)));
    },
    async stop() {
      stopping.abort();
      await work;
    },
  };
}
