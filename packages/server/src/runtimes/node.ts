import { createServer as createHttpServer, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { addressError } from '../http/address-error.ts';
import { connectionsDefault } from '../process/descriptors.ts';
import { reachable, type OpenSockets, type Tls } from '../http/sockets.ts';
import { withTls } from '../http/tls.ts';
import { boundBodies } from '../http/bound-bodies.ts';
import { bodiesMemory, defaultMemoryMax } from '../process/memory-limit.ts';
import type { ServeHere } from '../serve/options.ts';
import { serve } from '../serve/serve.ts';
import { GatheringMessage } from '../node-http/gathering-message.ts';
import { createListener } from '../node-http/listener.ts';
import { limitConnections } from './node-connections.ts';

export { nodeHandler, type NodeHandler } from '../node-http/node-handler.ts';
export type { ServeOptions, Serving, ServingHere } from '../serve/options.ts';

/**
 * A client must send its header within 60 s, and a connection may be idle for 65 s between two requests. A whole
 * request has no limit, because Node's default of 5 minutes would cut long pushes.
 */
const serverOptions: ServerOptions<typeof GatheringMessage> = {
  IncomingMessage: GatheringMessage,
  requestTimeout: 0,
  headersTimeout: 60_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 32_768,
  noDelay: true,
  // Detects within minutes that a client's machine is gone, even while the server only sends.
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
};

/** Bytes that Node buffers of a body that the handler reads slowly or not at all, as measured. */
const bufferedBody = 128 * 1024;

/** Opens the sockets of `node:http` and `node:https`. */
export const openNodeSockets: OpenSockets = async (place, answering) => {
  const { host, port, tls, connectionsMax, memoryMax = defaultMemoryMax() } = place;
  const secure = tls && secureServer(tls);
  const server = secure ?? createHttpServer(serverOptions);
  const listener = createListener(boundBodies(answering, bodiesMemory(memoryMax), bufferedBody));
  server.on('request', (incoming, outgoing) => listener.serve(incoming, outgoing));
  server.on('checkContinue', (incoming, outgoing) => listener.serve(incoming, outgoing, true));
  // A server may ignore an unknown expectation (RFC 9110 §10.1.1).
  server.on('checkExpectation', (incoming, outgoing) => listener.serve(incoming, outgoing));
  limitConnections(server, connectionsMax ?? connectionsDefault());
  server.on('clientError', (error, socket) => listener.refuse(error, socket));
  await new Promise<void>((resolve, reject) => {
    const onError = (error: Error): void => reject(addressError(error, { host, port }));
    server.once('error', onError);
    server.listen({ host, port }, () => {
      server.off('error', onError);
      resolve();
    });
  });
  const closed = new Promise<void>((resolve) => {
    server.once('close', resolve);
  });
  const stopAccepting = (): void => {
    if (server.listening) server.close();
  };
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://${reachable(host)}:${(server.address() as AddressInfo).port}`,
    running: listener.running,
    idle: listener.idle,
    renew: secure && ((next) => withTls(next, (pair) => secure.setSecureContext(pair))),
    drain(): void {
      listener.closeConnections();
      stopAccepting();
      server.closeIdleConnections();
    },
    async cut(): Promise<void> {
      stopAccepting();
      // Also closes connections without any request, which Node counts as busy.
      server.closeAllConnections();
      await closed;
    },
  };
};

function secureServer(tls: Tls): SecureServer {
  return withTls(tls, (pair) => createHttpsServer({ ...serverOptions, ...pair, ALPNProtocols: ['http/1.1'] }));
}

/**
 * Serves a data folder on Node.
 *
 * @example
 * import { serveNode } from '@packhouse/server/node';
 *
 * const serving = await serveNode({ data: './packhouse-data', port: 8787 });
 * console.log(serving.url);
 * process.once('SIGTERM', () => void serving.close());
 */
export const serveNode: ServeHere = (options) => serve(options, openNodeSockets);
