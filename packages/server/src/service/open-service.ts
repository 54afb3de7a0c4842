import { SettingsError, type Authorizer, type Log } from '@packhouse/base';
import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { nodeReceivingThreads } from '@packhouse/git/threads-node';
import type { Dialect, Hosting, OnEvent, Outbound } from '@packhouse/hosting';
import { packhouse, preparedMaxDefault, type Maintained, type ServiceSettings } from '@packhouse/router';
import { settingsStartError } from '../config/config.ts';
import type { SharedStorage } from '../config/shared-storage.ts';
import type { FetchHandler } from '../http/sockets.ts';
import { defaultMemoryMax, enginePlan } from '../process/memory-limit.ts';
import { trimWhenIdle } from '../process/trim-when-idle.ts';
import type { ServerMetrics } from '../metrics/server-metrics.ts';
import { openStorage } from './open-storage.ts';
import { registeredTracing } from './registered-tracing.ts';
import { socketOutbound } from './socket-outbound.ts';

export interface OpenServiceOptions {
  /** A data folder that this process has locked. */
  readonly folder: string;
  /** The database and packs that several servers share. Undefined: everything is in the folder. */
  readonly shared?: SharedStorage | undefined;
  readonly dialect: Dialect;
  readonly settings: Partial<ServiceSettings>;
  readonly authorizer: Authorizer;
  /** Outgoing requests of imports and webhooks. Default: through the sockets of this machine. */
  readonly outbound?: Outbound | undefined;
  /** Receives events. Default: events go to the sink of the settings. */
  readonly onEvent?: OnEvent | undefined;
  /** Accounts to sweep. */
  readonly accounts: readonly string[];
  readonly log: Log;
  /** Receives the result of each maintenance of a repository. */
  readonly maintained: (maintained: Maintained) => void;
  /** Bytes of memory that this process may use (LIM-080). Default: a share of the available memory. */
  readonly memoryMax?: number | undefined;
  /** Bytes of it for caches. Default: an eighth of what the runtime leaves, at most 512 MiB. */
  readonly cacheMax?: number | undefined;
  /** Bytes of the cache on disk, if packs are in a bucket. Default 10 GiB. */
  readonly packCacheMax?: number | undefined;
  /** Bytes of packs that are stored to answer clones again (LIM-071). Default 2 GiB; 0: none. */
  readonly preparedMax?: number | undefined;
  /** Answers `/metrics`. Default: there is no such path. */
  readonly metrics?: ServerMetrics | undefined;
  /** Returns whether the server accepts new requests, for `/readyz`. */
  readonly ready: () => boolean;
}

/** The running service over a data folder or a shared storage. */
export interface OpenedService {
  readonly handler: FetchHandler;
  readonly hosting: Hosting;
  readonly requestIdHeader: string;
  /** Bytes that one request can get of `memory_max`. */
  readonly requestMemory: number;
  /** Stops the background tasks, and closes the storage. Idempotent. */
  close(): Promise<void>;
}

/**
 * Opens the service with the adapters for Node, Deno and Bun, and starts its background tasks.
 *
 * @throws {StartError} kind `configuration`, `data folder` or `shared storage`.
 */
export async function openService(options: OpenServiceOptions): Promise<OpenedService> {
  const { dialect, settings, accounts, log, authorizer, metrics, outbound = socketOutbound() } = options;
  const { storage, createLimiter, counts, diskCache, stop } = await openStorage(
    options.folder,
    options.shared,
    options.packCacheMax,
  );
  const engine = createGitEngine({
    codec: nodeCodec(),
    threads: nodeReceivingThreads(),
    prepared: { max: options.preparedMax ?? preparedMaxDefault },
    ...enginePlan(options.memoryMax ?? defaultMemoryMax(), options.cacheMax),
  });
  try {
    const { fetch, hosting, start, close } = packhouse({
      storage,
      engine,
      authorize: (token) => authorizer.authorize(token),
      outbound,
      dialect,
      settings,
      log,
      onEvent: options.onEvent,
      maintained: options.maintained,
      ready: options.ready,
      metrics: metrics && ((request) => metrics.answer(request, { engine, counts, diskCache })),
      ...(createLimiter !== undefined && { createLimiter }),
      tracing: await registeredTracing(),
    });
    await start(accounts);
    const trimming = trimWhenIdle({ engine });
    return {
      handler: fetch,
      hosting,
      requestIdHeader: dialect.requestIdHeader,
      requestMemory: engine.admission.requestMost,
      async close() {
        trimming.stop();
        stop();
        await engine.prepared.close();
        await close();
      },
    };
  } catch (error) {
    stop();
    await storage.close?.();
    if (!(error instanceof SettingsError)) throw error;
    throw settingsStartError(error, settings);
  }
}
