import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createServer as createHttpServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { StartError, systemErrorCode } from '../start-error.ts';
import type { Listener } from './listener.ts';

/** Certificate and key of the server, in PEM form. */
export interface Tls {
  readonly cert: string | Uint8Array;
  readonly key: string | Uint8Array;
}

/** A socket that listens but serves nobody yet. */
export interface ListeningServer {
  readonly server: Server;
  /** Scheme, host and port, without a path. */
  readonly origin: string;
  /** Serves what came and comes. */
  serve(listener: Listener): void;
}

/**
 * Header and connection timeouts stay (a client must send its header within 60 s, and 65 s may pass between two
 * requests), but a body may take as long as it takes: Node's limit of 5 minutes for a whole request would cut long
 * pushes.
 */
const serverOptions: ServerOptions = {
  requestTimeout: 0,
  headersTimeout: 60_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 32_768,
  noDelay: true,
};

/**
 * Listens on `host` and `port` (0: any free one), before anything else is opened, so that a taken port leaves no trace.
 *
 * @throws {StartError} kind `address` or `tls`.
 */
export async function listen(options: {
  readonly host: string;
  readonly port: number;
  readonly tls?: Tls | undefined;
}): Promise<ListeningServer> {
  const { host, port, tls } = options;
  const server = tls === undefined ? createHttpServer(serverOptions) : secureServer(tls);
  await new Promise<void>((resolve, reject) => {
    const onError = (error: Error): void => reject(addressError(error, host, port));
    server.once('error', onError);
    server.listen({ host, port }, () => {
      server.off('error', onError);
      resolve();
    });
  });
  const scheme = tls === undefined ? 'http' : 'https';
  const bound = (server.address() as AddressInfo).port;
  return {
    server,
    origin: `${scheme}://${reachable(host)}:${bound}`,
    serve(listener): void {
      server.on('request', (incoming, outgoing) => listener.serve(incoming, outgoing));
      server.on('checkContinue', (incoming, outgoing) => listener.serve(incoming, outgoing, true));
      // An expectation that we do not know may be ignored (RFC 9110 §10.1.1).
      server.on('checkExpectation', (incoming, outgoing) => listener.serve(incoming, outgoing));
      server.on('clientError', (error, socket) => listener.refuse(error, socket));
    },
  };
}

/** How a client on this machine writes the host: nobody can connect to "every address". */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function secureServer(tls: Tls): Server {
  try {
    const cert = Buffer.from(tls.cert);
    const key = Buffer.from(tls.key);
    // The library takes files that hold neither, and would then have nothing to show to any client.
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) throw new Error('not of one pair');
    return createHttpsServer({ ...serverOptions, cert, key, ALPNProtocols: ['http/1.1'] });
  } catch (error) {
    // The library's own texts ("PEM routines::no start line") help nobody; its code is kept as the cause.
    throw new StartError(
      'tls',
      'The TLS certificate and key cannot be used.',
      'Give a PEM certificate (with its chain) and the unencrypted PEM key that belongs to it.',
      { cause: error },
    );
  }
}

function addressError(error: Error, host: string, port: number): StartError {
  const code = systemErrorCode(error);
  if (code === 'EADDRINUSE') {
    return new StartError(
      'address',
      `Port ${port} on ${host} is already in use.`,
      'Stop what uses it, or choose another with --port N (0 picks a free one).',
      {
        cause: error,
      },
    );
  }
  if (code === 'EACCES') {
    return new StartError(
      'address',
      `This user may not listen on port ${port}.`,
      'Choose a port above 1023 with --port N.',
      { cause: error },
    );
  }
  return new StartError(
    'address',
    `Cannot listen on ${host} port ${port} (${code ?? 'unknown reason'}).`,
    'Give an address of this machine with --host, such as 127.0.0.1 or 0.0.0.0.',
    {
      cause: error,
    },
  );
}
