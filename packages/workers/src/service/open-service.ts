import { waitUntil } from 'cloudflare:workers';
import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { createHosting, listedTokens } from '@packhouse/hosting';
import { createService, gitFace, type Service } from '@packhouse/router';
import { readConfiguration } from '../environment/configuration.ts';
import type { Environment } from '../environment/environment.ts';
import { isolateBudget } from '../isolate-budget.ts';
import { logFailure, writeLog } from './log.ts';
import { workerStorage } from './storage.ts';
import { currentScope } from './usage.ts';

const mebi = 1_048_576;

/**
 * How the 128 MB of an isolate are divided, beside some 16 MB of code and what it always needs, and what the collector
 * has not come to. The pages count as memory of requests. Of the six connections that a request may wait for, two stay free. A fetch holds what it reads ahead for as
 * long as its client takes, so that is little: with four in flight, two slow clients kept everybody else out.
 */
const engineOptions = {
  cache: 12 * mebi,
  pageCache: 8 * mebi,
  memory: isolateBudget.bytesReserved,
  reads: { windowMax: 4 * mebi, inFlight: 1 },
};
const snapshotCache = 4 * mebi;

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
    snapshotCache,
    background: waitUntil,
    report: logFailure,
  });
  const report = (error: unknown, requestId: string): void => {
    if (currentScope()?.left !== true) logFailure(error, requestId);
  };
  const engine = createGitEngine({ codec: nodeCodec(), ...engineOptions });
  return createService({
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
}
