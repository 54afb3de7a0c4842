import { watchIsolate, type IsolateMemory } from './isolate-memory.ts';
import { startLocalService, type LocalService } from './local-service.ts';

/** `docs/design/workers.md`, "Memory of one large push": bytes of heap and typed arrays together. */
export const peakMax = 100e6;

/** Its environment variable gives flags to the V8 of workerd. */
const flags = 'MINIFLARE_WORKERD_V8_FLAGS';

/** A local service whose isolate is watched. */
export interface WatchedService {
  readonly service: LocalService;
  readonly memory: IsolateMemory;
  close(): Promise<void>;
}

/**
 * Starts a local service that can be held to the memory of an isolate. Local workerd has no limit, and without one the
 * collector lets garbage lie. So the JavaScript heap may grow to half of an isolate's 128 MB here; typed arrays, the
 * other half, have no limit in this.
 */
export async function startWatchedService(settings: object = {}): Promise<WatchedService> {
  const before = process.env[flags];
  process.env[flags] = '--max-heap-size=64';
  const service = await startLocalService(settings, { inspectorPort: 0 });
  if (before === undefined) delete process.env[flags];
  else process.env[flags] = before;
  const memory = await watchIsolate(await service.workerd.inspectorUrl());
  return {
    service,
    memory,
    async close() {
      await memory.close();
      await service.close();
    },
  };
}
