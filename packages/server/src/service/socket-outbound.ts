import { lookup } from 'node:dns/promises';
import { request as send, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { LookupPurpose, Outbound } from '@packhouse/hosting';
import { fewAtOnce, sharedLookup, type Lookup } from './lookups.ts';
import { openConnection } from './open-connection.ts';

/**
 * Hosts that are looked up at once, by purpose. On Node each takes one of the four threads that also read files, for as
 * long as its resolver is silent. An import may name any host, so imports must not use up the lookups of webhooks.
 */
const lookupsMax: Readonly<Record<LookupPurpose, number>> = { import: 2, webhook: 1 };

/** Statuses whose replies have no body. */
const bodiless: readonly number[] = [101, 204, 205, 304];

/**
 * Reaches others by the addresses that were looked up and checked (REPO-129): the connection is made to one of them, while
 * name and certificate stay those of the URL. No connection is kept, so that none is used again for a name that leads
 * elsewhere by then. Who may be reached over plain HTTP is for the caller to say.
 *
 * @param authorities certificates to trust instead of those that the runtime does.
 * @param resolve finds the addresses of a host. Default: the system's resolver.
 */
export function socketOutbound(authorities?: Uint8Array, resolve: Lookup = systemLookup): Outbound {
  const bounded = (purpose: LookupPurpose): Lookup => sharedLookup(fewAtOnce(lookupsMax[purpose], resolve));
  const lookups = { import: bounded('import'), webhook: bounded('webhook') };
  return {
    lookup: (host, purpose) => lookups[purpose](host),
    async fetch(request, addresses) {
      const body = new Uint8Array(await request.arrayBuffer());
      const [first, ...others] = addresses ?? [undefined];
      let reply = exchange(request, body, first, authorities);
      for (const address of others) {
        reply = reply.catch((error: unknown) => {
          if (request.signal.aborted) throw error;
          return exchange(request, body, address, authorities);
        });
      }
      return reply;
    },
  };
}

/** IPv4 first: a network without IPv4 refuses a connection at once, one without IPv6 seldom does. */
const systemLookup: Lookup = async (host) =>
  (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address);

/** `address`: where to connect to; undefined: wherever the name leads. */
async function exchange(
  request: Request,
  body: Uint8Array,
  address: string | undefined,
  authorities: Uint8Array | undefined,
): Promise<Response> {
  const { signal } = request;
  const url = new URL(request.url);
  const connection = await openConnection({ url, address, authorities, signal });
  return new Promise((resolve, reject) => {
    const outgoing = send(
      {
        path: url.pathname + url.search,
        method: request.method,
        headers: {
          ...Object.fromEntries(request.headers),
          host: url.host,
          ...(body.length > 0 ? { 'content-length': body.length } : {}),
        },
        // `node:https` would need more permissions on Deno.
        createConnection: () => connection,
        signal,
      },
      (incoming) => {
        try {
          resolve(responseOf(incoming));
        } catch (error) {
          incoming.destroy();
          reject(error as Error);
        }
      },
    );
    outgoing.on('error', reject);
    // Without an error where a reply switches protocols, which nobody asked for.
    outgoing.on('close', () => reject(new Error('The connection closed before a reply')));
    outgoing.end(body);
  });
}

/** @throws {RangeError} for a status that is none. */
function responseOf(incoming: IncomingMessage): Response {
  const status = incoming.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  if (!bodiless.includes(status)) {
    return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, { status, headers });
  }
  incoming.resume();
  return new Response(null, { status, headers });
}
