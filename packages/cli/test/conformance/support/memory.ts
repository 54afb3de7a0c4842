import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { checkConfig, isIncident, listedTokens, packhouse, type ServerConfig } from '@packhouse/router';
import { cloudflare, neutral, type Hosting } from '@packhouse/hosting';
import { randomIds, failureRecord, freshRequestId, type LogRecord } from '@packhouse/base';
import { openNodeSockets } from '@packhouse/server/node';
import { socketOutbound } from '@packhouse/server/outbound';
import { memoryCatalogs, memoryRepos } from '@packhouse/storage';
import { memoryTagStores } from '@packhouse/tagging';
import { configurationOf } from './configuration.ts';
import { checkLog, type Deployment, type StartDeployment } from './deployment.ts';
import { listened } from './memory-events.ts';
import { maintained } from './memory-maintenance.ts';

type FetchHandler = (request: Request) => Promise<Response>;

/** Runs the service over storage in memory, in this process, behind the server's sockets for Node. */
export const inMemory: StartDeployment = (options) => openInMemory(options, (service) => service);

/** Does the same; `extend` may add something to the service. */
export async function openInMemory(
  { dialect: name, tenants, settings, remote }: Parameters<StartDeployment>[0],
  extend: (service: FetchHandler, hosting: Hosting) => FetchHandler,
): Promise<Deployment> {
  const dialect = { neutral, cloudflare }[name];
  const config: ServerConfig = checkConfig(configurationOf(tenants, settings));
  const errors: unknown[] = [];
  const log = (record: LogRecord): void => {
    if (record.event === 'failure' && record.level !== 'warn') errors.push(record);
  };
  const service = Promise.withResolvers<FetchHandler>();
  const identity = { ids: randomIds, settings: { site: config.settings.site ?? 'LOC' } };
  const sockets = await openNodeSockets(
    { host: '127.0.0.1', port: 0 },
    {
      handler: async (request) => await (await service.promise)(request),
      fallbackHost: '127.0.0.1',
      complete(headers) {
        if (!headers.has(dialect.requestIdHeader)) headers.set(dialect.requestIdHeader, freshRequestId(identity));
      },
      onServed({ method, path, status, failure }) {
        if (failure !== undefined || isIncident({ method, path, status }))
          errors.push({ method, path, status, failure: String(failure) });
      },
    },
  );
  const kept = maintained(memoryRepos());
  const storage = listened(kept);
  const engine = createGitEngine({ codec: nodeCodec() });
  const tokens = listedTokens(config.api_tokens ?? [], dialect);
  const { hosting, fetch, close } = packhouse({
    storage: { catalog: memoryCatalogs(), repos: storage, tags: memoryTagStores() },
    engine,
    outbound: socketOutbound(remote?.authority),
    authorize: (token) => tokens.authorize(token),
    dialect,
    settings: { ...config.settings, public_url: sockets.origin },
    log,
  });
  service.resolve(extend(fetch, hosting));
  kept.start(engine, hosting.settings.gc_grace * 1000, (error) => log(failureRecord(error, null)));
  storage.start(hosting);
  return {
    origin: sockets.origin,
    async stop() {
      sockets.drain();
      await sockets.idle();
      await sockets.cut();
      await Promise.all([storage.stop(), kept.stop()]);
      await close();
      checkLog(errors);
    },
  };
}
