import { settingRules } from '@packhouse/hosting';
import { freshRequestId, LruCache, randomIds, type RequestRecord } from '@packhouse/base';
import { defaultMemoryMax } from '../process/memory-limit.ts';
import { holdFolder, openFolder } from './open-folder.ts';
import type { OpenedService } from '../service/open-service.ts';
import type { ServeOptions, ServingHere } from './options.ts';
import { requestLogEntry } from './request-log.ts';
import { collectGarbage } from '../process/collect-garbage.ts';
import { bracketed, type OpenSockets } from '../http/sockets.ts';
import { createServerMetrics } from '../metrics/server-metrics.ts';
import { stopServing } from './stop-serving.ts';

/** Requests that the router has reported and that have not ended. */
const reportedMax = 32_768;

/**
 * Serves a data folder through the sockets of a runtime. Everything except the sockets is the same on all runtimes.
 *
 * @throws {StartError} if the server cannot start.
 */
export async function serve(options: ServeOptions, openSockets: OpenSockets): Promise<ServingHere> {
  const { host = '127.0.0.1', port = 8787, config = { settings: {} }, log = () => undefined } = options;
  const folder = holdFolder(options);
  const { dialect } = folder;
  const opening = Promise.withResolvers<OpenedService>();
  // It may fail before the first request awaits it.
  opening.promise.catch(() => undefined);
  let closing = false;
  const identity = { ids: randomIds, settings: { site: config.settings.site ?? String(settingRules.site.default) } };
  /**
   * Accounts, operations and stored API tokens by request id. The router reports them before the reply ends, when the log entry is
   * written. A reply that the router makes for a client that has fallen silent is never sent, so its entry is evicted.
   */
  const byRequest = new LruCache<string, Pick<RequestRecord, 'account' | 'operation' | 'token'>>(reportedMax);
  const metrics = config.metrics && createServerMetrics(config.metrics, () => sockets.running());

  const place = {
    host,
    port,
    tls: options.tls,
    connectionsMax: config.connections_max,
    memoryMax: config.memory_max,
    folder: folder.path,
  };
  const sockets = await openSockets(place, {
    // Opening the service needs the port, which listening determines. Requests in between wait.
    handler: async (request) => await (await opening.promise).handler(request),
    fallbackHost: `${bracketed(host)}:${port}`,
    received: collectGarbage(config.memory_max ?? defaultMemoryMax()),
    bodyIdle: config.body_idle_timeout === undefined ? undefined : config.body_idle_timeout * 1000,
    complete(headers) {
      if (!headers.has(dialect.requestIdHeader)) headers.set(dialect.requestIdHeader, freshRequestId(identity));
    },
    onServed(served) {
      const { requestIdHeader } = dialect;
      const publicUrl = options.publicUrl ?? config.settings.public_url;
      const entry = requestLogEntry(served, { requestIdHeader, publicUrl }, new Date());
      const id = String(entry['request_id']);
      const { account = null, operation, token } = byRequest.get(id) ?? {};
      byRequest.delete(id);
      metrics?.served(operation ?? 'none', served);
      log({ ...entry, operation, ...(account !== null && { account }), token });
    },
  }).catch((error: unknown) => {
    folder.release();
    throw error;
  });
  try {
    const { service, hosting, keptToken, env } = await openFolder(options, folder, {
      url: sockets.origin,
      ready: () => !closing,
      requested: ({ request_id, ...record }) => void byRequest.set(request_id, record),
      metrics,
    });
    opening.resolve(service);
    const release = async (): Promise<void> => {
      await service.close();
      folder.release();
    };
    const stop = stopServing(sockets, release, () => hosting.stop());
    return {
      url: hosting.settings.public_url,
      account: folder.accounts[0],
      data: folder.path,
      keptToken,
      env,
      hosting,
      running: sockets.running,
      renewTls: sockets.renew,
      close(grace = (config.shutdown_grace ?? 30) * 1000): Promise<number> {
        closing = true;
        return stop(grace);
      },
    };
  } catch (error) {
    opening.reject(error);
    await sockets.cut();
    folder.release();
    throw error;
  }
}
