import Cloudflare from 'cloudflare';
import { served } from '../conformance/support/served.ts';
import { makeTenants } from '../conformance/support/tenants.ts';

/** A service in the dialect of the public one, in a separate process, and the public service's SDK as its client. */
export interface ServedClient {
  /** The SDK with only its token and its base URL changed. */
  readonly client: Cloudflare;
  /** Returns a client that also records its requests, in order. */
  watched(sent: SentRequest[]): Cloudflare;
  readonly account: string;
  readonly zone: string;
  stop(): Promise<void>;
}

/** A request that the SDK passed to `fetch`. */
export interface SentRequest {
  readonly method: string;
  /** Path and query as sent, from the account or zone on. */
  readonly target: string;
  readonly body: unknown;
}

export async function servedClient(): Promise<ServedClient> {
  const tenants = makeTenants();
  const account = 'local';
  const zone = 'zone-of-local';
  const { origin, stop } = await served('node')({
    dialect: 'cloudflare',
    tenants,
    settings: { zones: { [zone]: account }, rate_tags: { requests: 1_000_000, seconds: 300 } },
  });
  const options = { apiToken: tenants.apiToken, baseURL: `${origin}/client/v4` };
  return {
    client: new Cloudflare(options),
    watched: (sent) =>
      new Cloudflare({
        ...options,
        fetch(url, init) {
          const { href } = new URL(url instanceof Request ? url.url : url);
          sent.push({
            method: init?.method?.toUpperCase() ?? 'GET',
            target: href.slice(options.baseURL.length),
            body: init?.body,
          });
          return fetch(url, init);
        },
      }),
    account,
    zone,
    stop,
  };
}
