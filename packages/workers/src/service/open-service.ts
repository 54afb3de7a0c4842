import { waitUntil } from 'cloudflare:workers';
import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { createHosting, listedTokens } from '@packhouse/hosting';
import { createService, gitFace, type Service } from '@packhouse/router';
import { readConfiguration } from '../environment/configuration.ts';
import type { Environment } from '../environment/environment.ts';
import { logFailure, writeLog } from './log.ts';
import { workerStorage } from './storage.ts';
import { currentScope } from './usage.ts';

/** Bytes of caches that the requests of an isolate share, of its 128 MB. */
const caches = { graphCache: 8 * 1_048_576, indexCache: 8 * 1_048_576, pageCache: 16 * 1_048_576 };

/**
 * The whole service over objects and buckets. Does no I/O.
 *
 * @throws {ConfigurationError}
 */
export function openService(environment: Environment): Service {
  const { dialect, settings, apiTokens } = readConfiguration(environment);
  const { catalogs, storage } = workerStorage(environment, settings.account_storage_max);
  const hosting = createHosting({
    catalog: catalogs,
    storage,
    authorizer: listedTokens(apiTokens, dialect),
    dialect,
    settings,
    background: waitUntil,
    report: logFailure,
  });
  const report = (error: unknown, requestId: string): void => {
    if (currentScope()?.left !== true) logFailure(error, requestId);
  };
  const engine = createGitEngine({ codec: nodeCodec(), ...caches });
  return createService({
    hosting,
    git: gitFace({ hosting, engine, report }),
    log(record) {
      const scope = currentScope();
      if (record.event === 'failure') writeLog('error', { ...record });
      else if (scope !== undefined) scope.record = record;
    },
  });
}
