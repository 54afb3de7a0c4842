import { connect as connectPlainly, isIP } from 'node:net';
import { Duplex } from 'node:stream';
import type { ReadableStream, WritableStream } from 'node:stream/web';
import { connect } from 'node:tls';

/** Where a connection leads. */
export interface Destination {
  /** Tells name, port, and whether TLS is spoken. */
  readonly url: URL;
  /** What to connect to; undefined: wherever the name leads. */
  readonly address: string | undefined;
  /** Certificates to trust instead of those that the runtime does: PEM. Default: none. */
  readonly authorities: Uint8Array | undefined;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
}

interface Closable {
  close(): void;
}

/** The part of Deno's own functions that is used here. */
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
 * Opens a connection whose certificate is held to the name of the URL. What is not read waits with who sends it: Deno's
 * `node:tls` takes everything in, however little is read, so there its own functions are used.
 *
 * @throws if it cannot be connected; on Node and Bun the connection itself may tell that later.
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
    // A certificate for an address names it otherwise.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(authorities === undefined ? {} : { ca: Buffer.from(authorities) }),
  });
}

async function denoConnection(
  deno: DenoConnecting,
  { host, port, address, authorities, signal }: Destination & { readonly host: string; readonly port: number },
): Promise<Duplex> {
  let open: Closable = await deno.connect({ hostname: address ?? host, port });
  const close = (): void => open.close();
  signal.addEventListener('abort', close);
  try {
    const secured = await deno.startTls(open, {
      hostname: host,
      alpnProtocols: ['http/1.1'],
      ...(authorities === undefined ? {} : { caCerts: [new TextDecoder().decode(authorities)] }),
    });
    open = secured;
    await secured.handshake();
    const { readable, writable } = secured;
    return Duplex.fromWeb({ readable, writable });
  } finally {
    signal.removeEventListener('abort', close);
  }
}
