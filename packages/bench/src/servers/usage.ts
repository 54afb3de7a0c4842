import type { Interface } from 'node:readline';

/** Git's two services, as the paths of requests name them. */
export type ServiceName = 'git-upload-pack' | 'git-receive-pack';

/** What one request cost on Workers. */
export interface Usage {
  /** Operations on R2 that write or list. */
  readonly r2ClassA: number;
  /** Operations on R2 that read. */
  readonly r2ClassB: number;
  /** Requests to Durable Objects. */
  readonly objectCalls: number;
}

/** What a line of the log says that a request to a service cost; undefined for other lines. */
export const usageIn = (line: string, service: ServiceName): Usage | undefined => {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const { event, method, path, r2_a: a, r2_b: b, object_calls: calls } = entry;
  if (event !== 'request' || method !== 'POST' || !String(path).endsWith(`/${service}`)) return undefined;
  if (typeof a !== 'number' || typeof b !== 'number' || typeof calls !== 'number') return undefined;
  return { r2ClassA: a, r2ClassB: b, objectCalls: calls };
};

/** Does something that sends one POST to a service, and answers what the log says that it cost. */
export const usageLogged = async (
  log: Interface,
  service: ServiceName,
  work: () => Promise<unknown>,
): Promise<Usage> => {
  const found = Promise.withResolvers<Usage>();
  const onLine = (line: string): void => {
    const usage = usageIn(line, service);
    if (usage !== undefined) found.resolve(usage);
  };
  log.on('line', onLine);
  try {
    await work();
    return await found.promise;
  } finally {
    log.off('line', onLine);
  }
};
