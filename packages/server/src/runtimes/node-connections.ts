import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  /** The accepted socket; with TLS, the one below it. */
  readonly socket: Socket;
  requests: number;
}

/**
 * Limits the connections of a server to `max` (LIM-021). A further connection closes the one that has been idle
 * longest, which is the new one if all others are busy.
 */
export function limitConnections(server: Server, max: number): void {
  const open = new Map<string, Connection>();
  /** Connections without a running request, the longest idle first. */
  const idle = new Set<Connection>();
  const forget = (key: string, connection: Connection): void => {
    idle.delete(connection);
    if (open.get(key) === connection) open.delete(key);
  };
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    const connection = { socket, requests: 0 };
    open.set(key, connection);
    idle.add(connection);
    socket.once('close', () => forget(key, connection));
    const [oldest] = open.size > max ? idle : [];
    if (oldest === undefined) return;
    // Forget it now: the event `close` comes later, perhaps after further connections.
    forget(keyOf(oldest.socket), oldest);
    oldest.socket.destroy();
  });
  const begin = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const connection = open.get(keyOf(incoming.socket));
    if (connection === undefined) return;
    connection.requests += 1;
    idle.delete(connection);
    outgoing.once('close', () => {
      connection.requests -= 1;
      if (connection.requests === 0 && !connection.socket.destroyed) idle.add(connection);
    });
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, begin);
}

/** Identifies a connection by its addresses: with TLS, requests have another socket than the event `connection`. */
function keyOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
