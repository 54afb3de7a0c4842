import { connect as connectPlainly, isIP } from 'node:net';
import { Duplex } from 'node:stream';
import type { ReadableStream, WritableStream } from 'node:stream/web';
import { connect } from 'node:tls';

/** The destination of a connection. */
export interface Destination {
  /** Determines the host name, the port, and whether to use TLS. */
  readonly url: URL;
  /** IP address to connect to. Undefined: resolves the host name. */
  readonly address: string | undefined;
  /** PEM certificates to trust instead of the runtime's. Undefined: trusts the runtime's. */
  readonly authorities: Uint8Array | undefined;
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
}

interface Closable {
  close(): void;
}

/** The part of Deno's API that this file uses. */
interface DenoConnecting {
  connect(to: { hostname: string; port: number }): Promise<Closable>;
  startTls(
    connection: Closable,
    options: { hostname: string; caCerts?: string[]; alpnProtocols: string[] },
  ): Promise<
    Closable & {
      readonly readable: ReadableStream<Uint8Array>;
      readonly writable: WritableStream<Uint8Array>;
      handshake(): Promise<unknown>;
    }
  >;
}

/**
 * Opens a connection, and checks a TLS certificate against the host name of the URL. The connection applies
 * backpressure. Deno's `node:tls` does not, so Deno's own functions are used there.
 *
 * @throws if it cannot connect. On Node and Bun, the returned connection may report that later.
 */
export async function openConnection(to: Destination): Promise<Duplex> {
  const { url, address, authorities } = to;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port);
  if (url.protocol === 'http:') return connectPlainly({ host: address ?? host, port: port || 80 });
  const { Deno } = globalThis as { readonly Deno?: DenoConnecting };
  if (Deno !== undefined) return denoConnection(Deno, { ...to, host, port: port || 443 });
  return connect({
    host: address ?? host,
    port: port || 443,
    ALPNProtocols: ['http/1.1'],
    // TLS allows no IP address as the server name.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(authorities === undefined ? {} : { ca: Buffer.from(authorities) }),
  });
}

async function denoConnection(
  deno: DenoConnecting,
  { host, port, address, authorities, signal }: Destination & { readonly host: string; readonly port: number },
): Promise<Duplex> {
  let open: Closable = await deno.connect({ hostname: address ?? host, port });
  const secured = async (): Promise<Duplex> => {
    const connection = await deno.startTls(open, {
      hostname: host,
      alpnProtocols: ['http/1.1'],
      ...(authorities === undefined ? {} : { caCerts: [new TextDecoder().decode(authorities)] }),
    });
    open = connection;
    await connection.handshake();
    const { readable, writable } = connection;
    return Duplex.fromWeb({ readable, writable });
  };
  return unlessAborted(signal, secured, () => open.close());
}

/** Runs `work` until the signal aborts, then calls `close` and rejects: Deno's calls may never settle after `close`. */
async function unlessAborted<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
  close: () => void,
): Promise<Result> {
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      reject(signal.reason as Error);
      try {
        close();
      } catch {
        // It is closed already, or `startTls` is just replacing it.
      }
    };
  });
  signal.addEventListener('abort', abort);
  try {
    if (signal.aborted) abort();
    return await Promise.race([aborted, work()]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
