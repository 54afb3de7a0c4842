import type { GitEngine } from '@packhouse/git';
import { createHosting, neutral } from '@packhouse/hosting';
import { createService, gitFace } from '@packhouse/router';
import { memoryCatalogs, memoryRepos } from '@packhouse/storage';
import type { FetchHandler } from '../../src/http/sockets.ts';

/** A service over storage in memory that takes any token, and records what fails. */
export function memoryService(engine: GitEngine, url: string, failures: unknown[]): FetchHandler {
  const report = (error: unknown): void => void failures.push(error);
  const hosting = createHosting({
    engine,
    dialect: neutral,
    catalog: memoryCatalogs(),
    storage: memoryRepos(),
    authorizer: { authorize: async () => [{ account: 'local', permission: neutral.permissions.edit }] },
    settings: { public_url: url },
    report,
  });
  return createService({ hosting, git: gitFace({ hosting, engine, report }) });
}
