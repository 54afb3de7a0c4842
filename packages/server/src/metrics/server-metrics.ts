import { hashSecret, parseBearer, textResponse, type CacheUsage } from '@packhouse/base';
import type { GitEngine } from '@packhouse/git';
import type { StorageCounts } from '@packhouse/hosting';
import type { Maintained, ServerConfig } from '@packhouse/router';
import type { ServedRequest } from '../http/sockets.ts';
import { formatMetrics, prometheusType } from './prometheus-text.ts';
import { RequestMetrics } from './request-metrics.ts';
import { counter, engineMetrics, gauge, MaintenanceMetrics, processMetrics, storageMetrics } from './state-metrics.ts';

/** The work of one server, as metrics for Prometheus (REPO-340). */
export interface ServerMetrics {
  served(operation: string, request: ServedRequest): void;
  maintained(maintained: Maintained): void;
  /** Counts an unexpected failure, of a request or of background work. */
  failed(): void;
  /** Answers `/metrics`, if the request has the token. */
  answer(request: Request, measured: Measured): Promise<Response>;
}

/** The parts of a running service that are measured when the metrics are read. */
export interface Measured {
  readonly engine: GitEngine;
  /** Counts what the storage has. Undefined if it cannot. */
  readonly counts: (() => Promise<StorageCounts>) | undefined;
  /** The cache on disk. Undefined without one. */
  readonly diskCache: CacheUsage | undefined;
}

/** Milliseconds for which the counts of the storage are kept, since counting reads every pack's row. */
const countsAge = 60_000;

/** Creates the metrics of a server. `running` returns its running requests. */
export function createServerMetrics(
  { token = '', token_sha256 }: NonNullable<ServerConfig['metrics']>,
  running: () => number,
  now: () => number = () => performance.now(),
): ServerMetrics {
  const requests = new RequestMetrics();
  const maintenance = new MaintenanceMetrics();
  let failures = 0;
  let counted: { readonly at: number; readonly counts: Promise<StorageCounts> } | undefined;
  const countsOf = ({ counts }: Measured): Promise<StorageCounts> | undefined => {
    if (counts === undefined) return undefined;
    if (counted === undefined || now() - counted.at > countsAge) counted = { at: now(), counts: counts() };
    return counted.counts.catch((error: unknown) => {
      counted = undefined;
      throw error;
    });
  };
  return {
    served: (operation, request) => requests.add(operation, request),
    maintained: (maintained) => maintenance.add(maintained),
    failed: () => void failures++,
    async answer(request, measured) {
      const secret = parseBearer(request.headers.get('authorization'));
      // Compare hashes, so that the duration does not reveal how many characters of a guess are right.
      if (secret === undefined || (await hashSecret(secret)) !== (token_sha256 ?? (await hashSecret(token)))) {
        return reply('The metrics need the token of the setting metrics.\n', 401, { 'www-authenticate': 'Bearer' });
      }
      // Without its storage, a server must still show the rest: operators look at it then.
      const counts = await countsOf(measured)?.catch(() => undefined);
      const text = formatMetrics([
        ...requests.metrics(),
        gauge('packhouse_requests_running', 'Requests that have not ended, this one included.', running()),
        counter('packhouse_failures_total', 'Unexpected failures in the log.', failures),
        ...(counts === undefined ? [] : storageMetrics(counts)),
        ...maintenance.metrics(),
        ...engineMetrics(measured.engine, measured.diskCache),
        ...processMetrics(),
      ]);
      return reply(text, 200, { 'content-type': prometheusType });
    },
  };
}

function reply(text: string, status: number, headers: Readonly<Record<string, string>>): Response {
  return textResponse(text, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });
}
