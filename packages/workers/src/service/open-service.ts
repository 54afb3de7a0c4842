import { waitUntil } from 'cloudflare:workers';
import { createHosting, listedTokens, type Hosting } from '@packhouse/hosting';
import { createService, gitFace, type Service } from '@packhouse/router';
import { readConfiguration } from '../environment/configuration.ts';
import type { Environment } from '../environment/environment.ts';
import { isolateEngine } from './isolate-engine.ts';
import { logFailure, writeLog } from './log.ts';
import { importInObject } from './import-in-object.ts';
import { workerStorage } from './storage.ts';
import { currentScope } from './usage.ts';
import { workerOutbound } from './worker-outbound.ts';

const snapshotCache = 4 * 1_048_576;

/** The service, and what its binding calls (docs/specification/binding.md). */
export interface OpenedService {
  readonly handler: Service;
  readonly hosting: Hosting;
}

/**
 * The whole service over objects and buckets. Does no I/O.
 *
 * @throws {ConfigurationError}
 */
export function openService(environment: Environment): OpenedService {
  const { dialect, settings, apiTokens } = readConfiguration(environment);
  const { catalogs, tags, storage } = workerStorage(environment, settings.account_storage_max);
  const engine = isolateEngine();
  const hosting = createHosting({
    catalog: catalogs,
    storage,
    engine,
    tags,
    authorizer: listedTokens(apiTokens, dialect),
    outbound: workerOutbound(environment),
    importElsewhere: (job) => importInObject(environment, job),
    dialect,
    settings,
    snapshotCache,
    background: waitUntil,
    report: logFailure,
  });
  const report = (error: unknown, requestId: string): void => {
    if (currentScope()?.left !== true) logFailure(error, requestId);
  };
  const handler = createService({
    hosting,
    git: gitFace({ hosting, engine, report }),
    log(record) {
      const scope = currentScope();
      if (record.event === 'failure') writeLog('error', { ...record });
      if (record.event === 'failure' || scope === undefined) return;
      scope.record = record;
      scope.usage.bytesReserved = engine.admission.reservedMost;
    },
  });
  return { handler, hosting };
}
