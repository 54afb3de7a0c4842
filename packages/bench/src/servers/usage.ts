import type { Interface } from 'node:readline';

/** The two services of Git, as named in the paths of requests. */
export type ServiceName = 'git-upload-pack' | 'git-receive-pack';

/** The cost of one request on Workers. */
export interface Usage {
  /** Operations on R2 that write or list. */
  readonly r2ClassA: number;
  /** Operations on R2 that read. */
  readonly r2ClassB: number;
  /** Requests to Durable Objects. */
  readonly objectCalls: number;
}

/** Returns the cost of a request to a service from a log line; undefined for other lines. */
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

/** Runs work that sends one POST to a service, and returns its cost according to the log. */
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
