import { readFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { serveHttpBackend } from '@packhouse/fixtures';

const read = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Stock `git http-backend` behind TLS, whose certificate is for `localhost`. */
export interface TlsRemote {
  /** A repository `x.git` below the root is at `<origin>/x.git`. */
  readonly origin: string;
  /** What a process must have in its environment to trust the certificate. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Serves the bare repositories below `root`. `pause`: milliseconds before each piece of a reply; default 0. */
export async function serveTlsRemote(root: string, pause = 0): Promise<TlsRemote> {
  const backend = await serveHttpBackend(root);
  // Deno trusts no certificate that is its own authority.
  const authority = read('authority.test.cert.pem');
  const server = createServer(
    { cert: readFileSync(read('remote.test.cert.pem')), key: readFileSync(read('remote.test.key.pem')) },
    (request, response) => {
      const { method, headers, url } = request;
      const passed = send(`${backend.origin}${url}`, { method, headers }, async (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        for await (const chunk of reply) {
          response.write(chunk);
          await wait(pause);
        }
        response.end();
      });
      const end = (): void => void response.destroy();
      passed.on('error', end);
      request.on('error', end).pipe(passed);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    environment: { NODE_EXTRA_CA_CERTS: authority, DENO_CERT: authority },
    async close() {
      server.closeAllConnections();
      server.close();
      await backend.close();
    },
  };
}
