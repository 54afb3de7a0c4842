import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ImportRemote, RemoteAnswer } from '@packhouse/conformance';
import { serveHttpBackend } from '@packhouse/fixtures';

const read = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
/** The certificate file of the authority. Deno does not trust a certificate that is its own authority. */
export const authority: string = read('authority.test.cert.pem');

/** Stock `git http-backend` behind TLS, whose certificate is for `localhost`. */
export interface TlsRemote extends ImportRemote {
  /** The certificate of its authority, as PEM. */
  readonly authority: Uint8Array;
  /** Environment variables that make a process trust the authority. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Serves the bare repositories in a folder. `pause`: milliseconds before each chunk of a reply; default: 0. */
export async function serveTlsRemote(folder: string, pause = 0): Promise<TlsRemote> {
  const backend = await serveHttpBackend(folder);
  const answers = new Map<string, RemoteAnswer>();
  const stock = (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(backend.origin + pathname + search, request));
  };
  const server = createServer(
    { cert: readFileSync(read('remote.test.cert.pem')), key: readFileSync(read('remote.test.key.pem')) },
    (incoming, outgoing) => {
      const answer = answers.get(/^\/([^/]+?)(?:\.git)?\//.exec(String(incoming.url))?.[1] ?? '');
      // The client may disconnect, and a reply may break.
      passed(incoming, outgoing, answer, stock, pause).catch(() => outgoing.destroy());
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    folder,
    answer: (name, by) => void answers.set(name, by),
    authority: readFileSync(authority),
    environment: { NODE_EXTRA_CA_CERTS: authority, DENO_CERT: authority },
    async close() {
      server.closeAllConnections();
      server.close();
      await backend.close();
    },
  };
}

async function passed(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: RemoteAnswer | undefined,
  stock: (request: Request) => Promise<Response>,
  pause: number,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = incoming;
  const parts: Uint8Array[] = [];
  for await (const part of incoming) parts.push(part as Uint8Array);
  const { connection: _, 'content-length': __, 'transfer-encoding': ___, ...sent } = headers;
  const body = parts.length > 0 ? { body: Buffer.concat(parts) } : {};
  const request = (): Request =>
    new Request(`https://localhost${url}`, { method, headers: sent as Record<string, string>, ...body });
  const byStock = (): Promise<Response> => stock(request());
  const response = await (answer === undefined ? byStock() : answer(request(), byStock));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  for await (const chunk of response.body ?? []) {
    outgoing.write(chunk);
    if (pause > 0) await wait(pause);
  }
  outgoing.end();
}
