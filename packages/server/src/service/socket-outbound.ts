import { lookup } from 'node:dns/promises';
import { request as send, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { LookupPurpose, Outbound } from '@packhouse/hosting';
import { fewAtOnce, sharedLookup, type Lookup } from './lookups.ts';
import { openConnection } from './open-connection.ts';

/**
 * Maximum number of concurrent lookups, by purpose. On Node, each takes one of the four threads that also read files,
 * for as long as the resolver is silent. An import may name any host, so imports must not use up the lookups of
 * webhooks.
 */
const lookupsMax: Readonly<Record<LookupPurpose, number>> = { import: 2, webhook: 1 };

/** Statuses of replies without a body. */
const bodiless: readonly number[] = [101, 204, 205, 304];

/**
 * Makes outgoing requests through the sockets of this machine. Connects to one of the checked addresses (REPO-129),
 * with the host name and certificate of the URL. Does not reuse connections, because a name may resolve differently
 * later. The caller decides which hosts may be reached over plain HTTP.
 *
 * @param authorities PEM certificates to trust instead of the runtime's.
 * @param resolve returns the addresses of a host. Default: the system's resolver.
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

/** IPv4 first: a network without IPv4 refuses a connection at once, but a network without IPv6 seldom does. */
const systemLookup: Lookup = async (host) =>
  (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address);

/** @param address the IP address to connect to; undefined: resolves the host name. */
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
    // An unrequested protocol switch (101) closes the connection without an `error`.
    outgoing.on('close', () => reject(new Error('The connection closed before a reply')));
    outgoing.end(body);
  });
}

/** @throws {RangeError} for an invalid status. */
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
