import { waitUntil } from 'cloudflare:workers';
import { RepoGoneError } from '@packhouse/git';
import { HostingError } from '@packhouse/base';
import { createHosting, listedTokens, type Hosting, type ImportJob, type RepoRecord } from '@packhouse/hosting';
import { createService, gitFace, type Service } from '@packhouse/router';
import { remotePort } from '../calls/remote-port.ts';
import { repoPorts } from '../calls/repo-ports.ts';
import { readConfiguration } from '../environment/configuration.ts';
import type { Environment } from '../environment/environment.ts';
import { isolateEngine } from './isolate-engine.ts';
import { logFailure, writeLog } from '../request/log.ts';
import { currentScope, currentUsage } from '../request/usage.ts';
import { repoObject, workerStorage } from './storage.ts';
import { workerOutbound } from './worker-outbound.ts';

const snapshotCache = 4 * 1_048_576;

/** The service, and what its binding calls (docs/specification/binding.md). */
export interface OpenedService {
  readonly handler: Service;
  readonly hosting: Hosting;
}

/** Made by the first request or call of the isolate, so bindings stay the same for as long as it lives. */
let opened: OpenedService | undefined;

/**
 * The service of this isolate. Does no I/O.
 *
 * @throws {ConfigurationError}
 */
export function isolateService(environment: Environment): OpenedService {
  opened ??= openService(environment);
  return opened;
}

function openService(environment: Environment): OpenedService {
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

/**
 * Has the object of a repository carry out its import.
 *
 * @throws {HostingError} Then there is no repo.
 */
async function importInObject(environment: Environment, job: ImportJob): Promise<RepoRecord> {
  const options = repoObject(environment, job.account, job.repo, currentUsage());
  try {
    return await remotePort(repoPorts, 'imports', options).carryOut(job);
  } catch (error) {
    throw error instanceof RepoGoneError ? new HostingError('repoNotFound') : error;
  }
}
