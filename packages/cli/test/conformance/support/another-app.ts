import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { packhouse } from '@packhouse/router';
import { memoryStorage } from '@packhouse/storage';

export interface AnotherApp {
  readonly origin: string;
  /** The `Authorization` headers that it received. */
  readonly credentials: readonly string[];
  close(): void;
}

export interface AppOptions {
  /** Changes each reply of the error route. */
  readonly change?: (response: Response) => Response | Promise<Response>;
  /** True to reject all hosts except its own, as large networks do. Default: false. */
  readonly ownHost?: boolean;
  /** The maximum bytes of a head. */
  readonly headMax?: number;
}

/** Starts an app that serves platform errors at their route, and other content at all other paths. */
export async function anotherApp({
  change = (response) => response,
  ownHost = false,
  headMax = 32_768,
}: AppOptions = {}): Promise<AnotherApp> {
  const { fetch: service } = packhouse({
    storage: memoryStorage(),
    authorize: async () => undefined,
    settings: { public_url: 'http://127.0.0.1' },
  });
  const credentials: string[] = [];
  const answer = async (request: Request): Promise<Response> => {
    const { hostname, pathname } = new URL(request.url);
    if (ownHost && hostname !== '127.0.0.1') return new Response('error code: 1003', { status: 403 });
    return pathname.startsWith('/cdn-cgi/error')
      ? await change(await service(request))
      : new Response('an app', { status: 200 });
  };
  const server = createServer(
    { maxHeaderSize: headMax },
    ({ method = 'GET', url = '/', headers, headersDistinct }, reply) => {
      if (headers.authorization !== undefined) credentials.push(headers.authorization);
      const accept = headersDistinct['accept']?.join(', ');
      const request = new Request(asked(headers.host, url), {
        method,
        headers: accept === undefined ? {} : { accept },
      });
      void answer(request).then(async (response) => {
        const body = new Uint8Array(await response.arrayBuffer());
        reply.writeHead(response.status, [...response.headers].flat());
        reply.end(body);
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns the URL of a request; without a host, one with a host that is not a zone. */
function asked(host: string | undefined, path: string): string {
  const url = `http://${host}${path}`;
  const usable = host !== undefined && /^[!-~]+$/.test(host) && !host.includes('@') && URL.canParse(url);
  return usable ? url : `http://!${path}`;
}
