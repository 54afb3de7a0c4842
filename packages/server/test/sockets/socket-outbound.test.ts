import { readFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { socketOutbound } from '../../src/service/socket-outbound.ts';

const read = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));
const cert = read('outbound.test.cert.pem');

let server: Server;
let port: number;
const seen: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = [];

beforeAll(async () => {
  server = createServer({ cert, key: read('outbound.test.key.pem') }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(parts).toString() });
      if (url === '/hang') return;
      const status = Number(url.slice(1));
      response
        .writeHead(status, { 'content-type': 'text/x', location: '/elsewhere' })
        .end(status === 204 ? '' : 'hello');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const outbound = socketOutbound(read('outbound-authority.test.cert.pem'));
const ask = (path: string, addresses: readonly string[] | undefined, init: RequestInit = {}, host = 'localhost') =>
  outbound.fetch(new Request(`https://${host}:${port}${path}`, init), addresses);

it('REPO-129: connects to the given addresses, regardless of what the name resolves to', async () => {
  // No server listens on 127.0.0.2.
  await expect(ask('/200', ['127.0.0.2'])).rejects.toThrow();
  expect((await ask('/200', ['127.0.0.2', '127.0.0.1'])).status).toBe(200);
  expect((await ask('/200', undefined)).status).toBe(200);
  expect((await ask('/200', ['127.0.0.1'], {}, '127.0.0.1')).status).toBe(200);
});

it('REPO-129: holds the certificate to the name of the URL, and to authorities that are trusted', async () => {
  await expect(ask('/200', ['127.0.0.1'], {}, 'git.example')).rejects.toThrow();
  const distrusting = socketOutbound();
  await expect(distrusting.fetch(new Request(`https://localhost:${port}/200`), ['127.0.0.1'])).rejects.toThrow();
});

it('sends what it is given, and answers what comes, redirects too', async () => {
  seen.length = 0;
  const headers = { 'content-type': 'text/y', 'git-protocol': 'version=2' };
  const reply = await ask('/301', ['127.0.0.1'], { method: 'POST', headers, body: 'wants', redirect: 'manual' });
  expect([reply.status, reply.headers.get('location'), await reply.text()]).toEqual([301, '/elsewhere', 'hello']);
  expect(seen).toMatchObject([
    {
      method: 'POST',
      url: '/301',
      body: 'wants',
      headers: { ...headers, host: `localhost:${port}`, 'content-length': '5' },
    },
  ]);
});

it('returns a reply without a body, and rejects an invalid status', async () => {
  expect((await ask('/204', ['127.0.0.1'])).body).toBeNull();
  await expect(ask('/999', ['127.0.0.1'])).rejects.toThrow();
});

it('ends when its signal aborts', async () => {
  const controller = new AbortController();
  const reply = ask('/hang', ['127.0.0.1'], { signal: controller.signal });
  while (seen.at(-1)?.url !== '/hang') await new Promise((resolve) => setTimeout(resolve, 1));
  controller.abort();
  await expect(reply).rejects.toThrow();
});

it('speaks plain HTTP where the URL does', async () => {
  const plain = createPlainServer((request, response) => void request.pipe(response));
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const url = `http://localhost:${(plain.address() as AddressInfo).port}/`;
  try {
    const reply = await outbound.fetch(new Request(url, { method: 'POST', body: 'hello' }), ['127.0.0.1']);
    expect(await reply.text()).toBe('hello');
  } finally {
    plain.close();
  }
});

it('ends when its signal aborts while the other side stays silent', async () => {
  const silent = createSocketServer((socket) => {
    socket.on('error', () => {});
    silent.emit('asked', socket);
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const asked = new Promise<Socket>((resolve) => silent.once('asked', resolve));
  const controller = new AbortController();
  const { port: quiet } = silent.address() as AddressInfo;
  const reply = outbound.fetch(new Request(`https://localhost:${quiet}/`, { signal: controller.signal }), [
    '127.0.0.1',
  ]);
  const socket = await asked;
  controller.abort();
  await expect(reply).rejects.toThrow();
  // Deno leaves it open.
  socket.destroy();
  silent.close();
});

it('ends when its signal aborts before it is connected', async () => {
  const controller = new AbortController();
  const reply = ask('/hang', ['127.0.0.1'], { signal: controller.signal });
  controller.abort();
  await expect(reply).rejects.toThrow();
});

it('looks names up', async () => {
  expect(await outbound.lookup('localhost', 'import')).toContain('127.0.0.1');
});

const endless = 'x'.repeat(1000);
it.each([
  ['what switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
  ['what is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['what has two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc'],
  ['headers without an end', `HTTP/1.1 200 OK\r\n${`X: ${endless}\r\n`.repeat(1000)}`],
  ['what ends before its headers do', undefined],
])('REPO-128: refuses %s at once', async (_, reply) => {
  const hostile = createTlsServer({ cert, key: read('outbound.test.key.pem') }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => (reply === undefined ? socket.end('HTTP/1.1 200 OK\r\n') : socket.write(reply)));
  });
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  try {
    const url = `https://localhost:${(hostile.address() as AddressInfo).port}/`;
    await expect(outbound.fetch(new Request(url), ['127.0.0.1'])).rejects.toThrow();
  } finally {
    hostile.close();
  }
});

it('LIM-059: applies backpressure to a sender that is faster than its reader', async () => {
  const size = 64 * 1024 * 1024;
  let sent = 0;
  const eager = createServer({ cert, key: read('outbound.test.key.pem') }, (_, response) => {
    const body = new Readable({
      read() {
        sent += 65_536;
        this.push(sent > size ? null : Buffer.alloc(65_536));
      },
    });
    body.pipe(response);
  });
  await new Promise<void>((resolve) => eager.listen(0, '127.0.0.1', resolve));
  const url = `https://localhost:${(eager.address() as AddressInfo).port}/`;
  const reader = (await outbound.fetch(new Request(url), ['127.0.0.1'])).body?.getReader();
  await reader?.read();
  // Until the system's own buffers are full.
  for (let before = -1, same = 0; same < 10; before = sent) {
    same = sent === before ? same + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(sent).toBeLessThan(size / 2);
  await reader?.cancel();
  eager.closeAllConnections();
  eager.close();
});

it('REPO-201: looks up the host of a webhook while resolvers are silent for imports, and the other way round', () => {
  const asked: string[] = [];
  const { lookup } = socketOutbound(undefined, (host) => {
    asked.push(host);
    return new Promise(() => {});
  });
  for (const host of ['a', 'b', 'c']) void lookup(host, 'import');
  void lookup('sink', 'webhook');
  void lookup('other sink', 'webhook');
  expect(asked).toEqual(['a', 'b', 'sink']);
  asked.length = 0;
  const others = socketOutbound(undefined, (host) => {
    asked.push(host);
    return new Promise(() => {});
  });
  void others.lookup('sink', 'webhook');
  void others.lookup('other sink', 'webhook');
  void others.lookup('a', 'import');
  expect(asked).toEqual(['sink', 'a']);
});
