import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Statuses by the error codes of Node's parser. Every other error is 400. */
const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Milliseconds for the client to take the reply. */
const replyTime = 1_000;

/**
 * Answers a request that Node could not parse (event `clientError`), and closes the connection. `begun`: a reply is
 * already being sent on this connection, so another one would corrupt it.
 */
export function refuseUnparsed(
  error: Error,
  socket: Duplex,
  options: { readonly begun: boolean; readonly complete?: ((headers: Headers) => void) | undefined },
): void {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  // After a failed handshake nothing can be sent, and Node leaves closing the socket to the listener.
  if (options.begun || !socket.writable || /^ERR_(?:TLS|SSL)_/.test(code)) {
    socket.destroy();
    return;
  }
  const status = statuses[code] ?? 400;
  const reason = STATUS_CODES[status] ?? '';
  const headers = new Headers({
    connection: 'close',
    'content-length': String(reason.length),
    'content-type': 'text/plain; charset=utf-8',
  });
  options.complete?.(headers);
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`);
  // A client that does not read the reply must not keep the connection open.
  setTimeout(() => socket.destroy(), replyTime).unref();
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${reason}`, () => socket.destroy());
}
