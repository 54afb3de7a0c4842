import { waitUntil } from 'cloudflare:workers';
import { RepoGoneError } from '@packhouse/git';
import { HostingError } from '@packhouse/base';
import type { ImportJob, RepoRecord } from '@packhouse/hosting';
import { createFaces, listedTokens, type Faces } from '@packhouse/router';
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

/** The first request or call of the isolate makes it, so the configuration stays the same while the isolate lives. */
let opened: Faces | undefined;

/**
 * Returns the service of this isolate. Does no I/O.
 *
 * @throws {ConfigurationError}
 */
export function isolateService(environment: Environment): Faces {
  opened ??= openService(environment);
  return opened;
}

function openService(environment: Environment): Faces {
  const { dialect, settings, apiTokens } = readConfiguration(environment);
  const engine = isolateEngine();
  const tokens = listedTokens(apiTokens, dialect);
  return createFaces({
    storage: workerStorage(environment, settings.account_storage_max),
    engine,
    authorize: (token) => tokens.authorize(token),
    outbound: workerOutbound(environment),
    importElsewhere: (job) => importInObject(environment, job),
    dialect,
    settings,
    snapshotCache,
    background: waitUntil,
    failed(error, requestId) {
      // A client that leaves cuts off reads and writes.
      const hasLeft = requestId !== null && currentScope()?.left === true;
      logFailure(error, requestId, hasLeft ? 'info' : undefined);
    },
    log(record) {
      const scope = currentScope();
      if (record.event === 'failure') writeLog('error', { ...record });
      if (record.event === 'failure' || scope === undefined) return;
      scope.record = record;
      scope.usage.bytesReserved = engine.admission.reservedMost;
    },
  });
}

/**
 * Runs the import of a repository in its object.
 *
 * @throws {HostingError} if the import failed. The repository does not exist then.
 */
async function importInObject(environment: Environment, job: ImportJob): Promise<RepoRecord> {
  const options = repoObject(environment, job.account, job.repo, currentUsage());
  try {
    return await remotePort(repoPorts, 'imports', options).carryOut(job);
  } catch (error) {
    throw error instanceof RepoGoneError ? new HostingError('repoNotFound') : error;
  }
}
