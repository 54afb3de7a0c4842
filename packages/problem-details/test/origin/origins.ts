import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** Handles the first data of a connection. */
type Behaviour = (socket: Socket) => void;

const close =
  (bytes: string | Uint8Array = ''): Behaviour =>
  (socket) =>
    socket.end(bytes);
const reset: Behaviour = (socket) => socket.resetAndDestroy();

/** The TLS alert `handshake_failure` (RFC 8446 §6.2). */
const handshakeFailure = Uint8Array.of(0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28);

const raw = {
  reset,
  empty: close(),
  junk: close('This is not the protocol you are looking for.\r\n\r\n'),
  badHeader: close('HTTP/1.1 200 OK\r\nNo colon here\r\nContent-Length: 2\r\n\r\nok'),
  halfHeaders: close('HTTP/1.1 200 OK\r\nContent-Ty'),
  halfThenSilent: (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Ty'),
  slowBody(socket) {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no');
    setTimeout(() => socket.end('k'), 1300);
  },
} satisfies Record<string, Behaviour>;

const rawTls = {
  noTls: close('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'),
  tlsRefused: close(handshakeFailure),
  tlsClosed: close(),
  tlsReset: reset,
} satisfies Record<string, Behaviour>;

export type OriginName =
  | keyof typeof raw
  | keyof typeof rawTls
  | 'silent'
  | 'noName'
  | 'refused'
  | 'selfSigned'
  | 'healthy';

/** Local origins, each with its own failure. */
export interface Origins {
  readonly url: Readonly<Record<OriginName, string>>;
  /** Resolves with the first part of the next body sent to `/parts` of the healthy origin. */
  nextPart(): Promise<string>;
  /** Resolves at the next request to the silent origin; `ended` resolves when its connection ends. */
  nextSilence(): Promise<{ ended: Promise<void> }>;
  close(): void;
}

function rawServer(behaviour: Behaviour): Server {
  return createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => behaviour(socket));
  });
}

const file = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));

function healthyServer(tellPart: (part: string) => void): Server {
  return createHttpServer((request, response) => {
    if (request.url === '/parts') request.once('data', (part: Buffer) => tellPart(part.toString()));
    if (request.url === '/redirect') return response.writeHead(302, { Location: '/elsewhere' }).end('over there');
    if (request.url === '/failing') return response.writeHead(522, { 'X-Made-By': 'the origin' }).end('its own');
    if (request.url === '/compressed' && request.headers['accept-encoding']?.includes('gzip')) {
      return response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('small'));
    }
    if (request.url === '/compressed') return response.writeHead(200).end('small');
    response.writeHead(200, { 'X-Method': request.method, 'X-Host': request.headers.host });
    return request.pipe(response);
  });
}

export async function startOrigins(): Promise<Origins> {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    server.on('connection', (socket: Socket) => sockets.add(socket).size);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  let tellSilence: (silence: { ended: Promise<void> }) => void = () => undefined;
  const silent: Behaviour = (socket) =>
    tellSilence({ ended: new Promise((resolve) => socket.on('close', () => resolve())) });
  let tellPart: (part: string) => void = () => undefined;
  const unused = createServer();
  const refused = await listen(unused);
  await new Promise((resolve) => unused.close(resolve));
  const key = file('localhost.test.key.pem');
  const cert = file('localhost.test.cert.pem');
  const selfSigned = createHttpsServer({ key, cert }, (_, response) => response.end('reached'));
  const url: Record<string, string> = {
    // No resolver knows this name (RFC 6761 §6.4).
    noName: 'http://origin.invalid/',
    refused: `http://127.0.0.1:${refused}/`,
    selfSigned: `https://localhost:${await listen(selfSigned)}/`,
    healthy: `http://127.0.0.1:${await listen(healthyServer((part) => tellPart(part)))}`,
  };
  for (const [name, behaviour] of Object.entries({ ...raw, silent })) {
    url[name] = `http://127.0.0.1:${await listen(rawServer(behaviour))}/`;
  }
  for (const [name, behaviour] of Object.entries(rawTls)) {
    url[name] = `https://localhost:${await listen(rawServer(behaviour))}/`;
  }
  return {
    url: url as Readonly<Record<OriginName, string>>,
    nextPart: () => new Promise((resolve) => (tellPart = resolve)),
    nextSilence: () => new Promise((resolve) => (tellSilence = resolve)),
    close() {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
