import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that hands each request to the next server in turn, however it is connected. */
export interface RoundRobin {
  readonly origin: string;
  /** The ports of the servers; a list may change at any time. */
  readonly ports: number[];
  /** Ports that get no requests, as when a proxy finds that a server does not answer. */
  readonly avoided: Set<number>;
  /** Breaks all connections of clients, and with them those to the servers. */
  cut(): void;
  close(): Promise<void>;
}

const host = '127.0.0.1';
/** Headers that are about one connection. Node writes those of the other side. */
const ofConnection = /^(?:connection|keep-alive|transfer-encoding)$/i;

export async function startRoundRobin(): Promise<RoundRobin> {
  const ports: number[] = [];
  const avoided = new Set<number>();
  let turn = 0;
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method, url: path, rawHeaders } = incoming;
    const open = ports.filter((port) => !avoided.has(port));
    const port = open[turn++ % open.length];
    // A connection for each request, so that none is reused while its server closes it.
    const passed = forward({ host, port, method, path, headers: rawHeaders, agent: false }, (reply) => {
      const headers: string[] = [];
      for (let i = 0; i < reply.rawHeaders.length; i += 2) {
        const [name = '', value = ''] = reply.rawHeaders.slice(i, i + 2);
        if (!ofConnection.test(name)) headers.push(name, value);
      }
      outgoing.writeHead(reply.statusCode ?? 502, reply.statusMessage, headers);
      reply.on('error', () => outgoing.destroy());
      reply.pipe(outgoing);
    });
    passed.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  };
  const server = createServer(pass);
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.writeContinue();
    pass(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    ports,
    avoided,
    cut: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
