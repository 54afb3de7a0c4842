import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Statuses of what Node's parser tells; everything else is 400. */
const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Milliseconds for the reply to leave. */
const replyTime = 1_000;

/**
 * Answers what could not be read as a request, and closes the connection: the event `clientError` of a Node server.
 * `begun`: a reply is on its way on this connection, so that nothing may come in between.
 */
export function refuseUnparsed(
  error: Error,
  socket: Duplex,
  options: { readonly begun: boolean; readonly complete?: ((headers: Headers) => void) | undefined },
): void {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  // Where the handshake failed nothing can be sent, and Node leaves the socket to the listener.
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
  // A client that does not take the reply must not hold the connection.
  setTimeout(() => socket.destroy(), replyTime).unref();
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${reason}`, () => socket.destroy());
}
