import { createHosting } from '@packhouse/hosting';
import { sqlRepoState } from '@packhouse/storage';
import { readConfiguration } from '../environment/configuration.ts';
import { isolateEngine } from '../service/isolate-engine.ts';
import { logFailure } from '../service/log.ts';
import { remoteCatalog, workerStorage } from '../service/storage.ts';
import { workerOutbound } from '../service/worker-outbound.ts';
import type { OwnRepo } from './repo-steps.ts';

/** Hands over what is due of a repository's events. Answers when it is to be done again. */
export async function deliverOwnEvents(repo: OwnRepo, jurisdiction: string): Promise<number | undefined> {
  const { id, account, driver, packs, environment, usage } = repo;
  const { dialect, settings } = readConfiguration(environment);
  const { storage } = workerStorage(environment, settings.account_storage_max);
  const hosting = createHosting({
    catalog: (name) => remoteCatalog(environment, name, { usage }),
    storage: { ...storage, repo: () => ({ id, state: sqlRepoState(driver, id), packs }) },
    engine: isolateEngine(),
    authorizer: { authorize: async () => undefined },
    outbound: workerOutbound(environment),
    dialect,
    settings,
    report: logFailure,
  });
  return hosting.deliverEvents({ account, id, jurisdiction }, new AbortController().signal);
}
