import { createServer, request as httpRequest, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { FetchHandler, ServedRequest } from '../../src/http/sockets.ts';
import { createListener, type Listener, type ListenerOptions } from '../../src/node-http/listener.ts';

interface Running {
  readonly port: number;
  readonly listener: Listener;
  readonly served: ServedRequest[];
}

const open: Server[] = [];

afterEach(() => {
  for (const server of open.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function run(handler: FetchHandler, options: Partial<ListenerOptions> = {}): Promise<Running> {
  const served: ServedRequest[] = [];
  const listener = createListener({
    handler,
    fallbackHost: 'fallback.test',
    onServed: (one) => served.push(one),
    ...options,
  });
  const server = createServer((incoming, outgoing) => listener.serve(incoming, outgoing));
  server.on('checkContinue', (incoming, outgoing) => listener.serve(incoming, outgoing, true));
  server.on('clientError', (error, socket) => listener.refuse(error, socket));
  open.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { port: (server.address() as AddressInfo).port, listener, served };
}

/** Sends raw bytes and collects all that comes until the server closes the connection. */
async function exchange(port: number, ...parts: readonly string[]): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket.once('error', () => resolve());
  });
  for (const part of parts) socket.write(part, 'latin1');
  await closed;
  return text;
}

/** A stream that makes chunks when asked and counts them. */
function counted(
  chunks: number,
  size: number,
): { stream: ReadableStream<Uint8Array>; made: () => number; cancelled: Promise<void> } {
  let made = 0;
  let onCancel: (() => void) | undefined;
  const cancelled = new Promise<void>((resolve) => {
    onCancel = resolve;
  });
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await Promise.resolve();
        if (made === chunks) {
          controller.close();
          return;
        }
        made += 1;
        controller.enqueue(new Uint8Array(size).fill(made % 251));
      },
      cancel() {
        onCancel?.();
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, made: () => made, cancelled };
}

describe('createListener', () => {
  it('passes method, address, headers and body on, and the reply back', async () => {
    const { port, listener, served } = await run(async (request) => {
      const reply = {
        method: request.method,
        url: request.url,
        twice: request.headers.get('x-twice'),
        text: await request.text(),
      };
      return Response.json(reply, {
        status: 201,
        headers: [
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ],
      });
    });
    const reply = await exchange(
      port,
      'POST /a%2Fb?q=1 HTTP/1.1\r\nHost: git.test:81\r\nX-Twice: 1\r\nX-Twice: 2\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello',
    );
    expect(reply).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(reply).toMatch(/\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n/);
    expect(reply).toMatch(/\r\ncontent-length: \d+\r\n/);
    expect(JSON.parse(reply.split('\r\n\r\n')[1] as string)).toEqual({
      method: 'POST',
      url: 'http://git.test:81/a%2Fb?q=1',
      twice: '1, 2',
      text: 'hello',
    });
    await listener.idle();
    expect(served).toMatchObject([{ method: 'POST', path: '/a%2Fb', status: 201, received: 5, whole: true }]);
  });

  it('serves HTTP/1.0 without a Host, and ends the body by closing', async () => {
    const { port } = await run(
      async (request) => new Response(counted(3, 4).stream, { headers: { 'x-url': request.url } }),
    );
    const reply = await exchange(port, 'GET /x HTTP/1.0\r\n\r\n');
    expect(reply).toContain('x-url: http://fallback.test/x\r\n');
    expect(reply).not.toMatch(/transfer-encoding/i);
    expect(reply.split('\r\n\r\n')[1]).toBe('\x01\x01\x01\x01\x02\x02\x02\x02\x03\x03\x03\x03');
  });

  it('answers HEAD, 204 and 304 without a body, and drops the one there is', async () => {
    const source = counted(1000, 10);
    const { port } = await run(async (request) =>
      new URL(request.url).pathname === '/204'
        ? new Response(null, { status: 204 })
        : new Response(source.stream, { headers: { 'x-a': 'b' } }),
    );
    const head = await exchange(port, 'HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(head).toMatch(/\r\nx-a: b\r\n/);
    expect(head.split('\r\n\r\n')[1]).toBe('');
    await source.cancelled;
    const empty = await exchange(port, 'DELETE /204 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(empty).toMatch(/^HTTP\/1\.1 204 /);
    expect(empty).not.toMatch(/content-length|transfer-encoding|content-type/i);
  });

  it('GIT-012: sends 100 Continue when the body is asked for, and not before', async () => {
    const { port } = await run(async (request) => new Response(await request.text()));
    const reply = await exchange(
      port,
      'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n',
      'ok',
    );
    expect(reply).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expect(reply.endsWith('\r\n\r\nok')).toBe(true);
  });

  it('GIT-012: sends a refusal that needs no body in place of 100', async () => {
    const { port } = await run(async () => new Response('no', { status: 401 }), { linger: { idle: 30 } });
    const reply = await exchange(
      port,
      'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1000000000\r\n\r\n',
    );
    expect(reply).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    expect(reply).not.toContain('100 Continue');
    expect(reply).toMatch(/\r\nconnection: close\r\n/i);
  });

  it('lets a client that is still sending read the early reply', async () => {
    const { port } = await run(async () => new Response('Push is too large', { status: 413 }));
    const size = 32 * 1024 * 1024;
    const reply = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const outgoing = httpRequest({ port, method: 'POST', headers: { 'content-length': size } }, (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        incoming.on('end', () => resolve({ status: incoming.statusCode, text }));
      });
      outgoing.on('error', reject);
      outgoing.end(Buffer.alloc(size));
    });
    expect(reply).toEqual({ status: 413, text: 'Push is too large' });
  });

  it('lets it read the reply also if the handler took some of the body and left the rest', async () => {
    const { port, listener } = await run(
      async (request) => {
        await request.body?.getReader().read();
        return new Response('Push is too large', { status: 413 });
      },
      { linger: { idle: 500 } },
    );
    const size = 32 * 1024 * 1024;
    const sent = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk) => {
        text += chunk;
      });
      let failed = false;
      socket.on('error', () => {
        failed = true;
      });
      socket.on('close', () => resolve(failed ? 'reset' : text));
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`);
      socket.write(Buffer.alloc(size));
    });
    expect(sent).toMatch(/^HTTP\/1\.1 413 [^]*Push is too large$/);
    await listener.idle();
  });

  it('tells who still reads a body that its request was answered', async () => {
    let read: Promise<unknown> | undefined;
    const { port } = await run(
      async (request) => {
        read = request.text().catch((error: Error) => error.message);
        return new Response('no', { status: 413 });
      },
      { linger: { idle: 30 } },
    );
    await exchange(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
    expect(await read).toBe('The request was answered');
  });

  it('keeps the connection after a refusal of a request whose body came with it', async () => {
    const { port } = await run(async () => new Response('no', { status: 401 }));
    const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n';
    const reply = await exchange(port, `${post}\r\nhello${post}Connection: close\r\n\r\nhello`);
    expect(reply.toLowerCase().match(/^connection: [a-z-]+/gm)).toEqual([
      'connection: keep-alive',
      'connection: close',
    ]);
    expect(reply.match(/HTTP\/1\.1 401 /g)).toHaveLength(2);
  });

  it('hangs up on a client that goes on sending for too long after an early reply', async () => {
    const { port, listener } = await run(async () => new Response('no', { status: 413 }), {
      linger: { bytes: 100_000 },
    });
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    let stop = false;
    const send = (): void => {
      if (!stop) socket.write(`8000\r\n${'x'.repeat(0x8000)}\r\n`, () => setImmediate(send));
    };
    send();
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    stop = true;
    await listener.idle();
  });

  it('asks a reply body for no more than the client takes', async () => {
    const source = counted(10_000, 65_536);
    const { port, listener, served } = await run(async () => new Response(source.stream));
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    // Until nothing moves any more: buffers of the kernel are full.
    let before = -1;
    while (source.made() === 0 || source.made() !== before) {
      before = source.made();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(source.made()).toBeLessThan(1000);
    socket.destroy();
    await source.cancelled;
    await listener.idle();
    expect(served).toMatchObject([{ whole: false }]);
  });

  it('takes no more of a request body than the handler reads', async () => {
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { port } = await run(async (request) => {
      await held;
      let bytes = 0;
      for await (const chunk of request.body ?? []) bytes += chunk.byteLength;
      return new Response(String(bytes));
    });
    const size = 64 * 1024 * 1024;
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${size}\r\n\r\n`);
    socket.write(Buffer.alloc(size));
    let before = -1;
    while (socket.bytesWritten - socket.writableLength !== before) {
      before = socket.bytesWritten - socket.writableLength;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(socket.writableLength).toBeGreaterThan(0);
    release?.();
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    expect(text.endsWith(String(size))).toBe(true);
  });

  it('takes no more of a body that the handler left while the reply is sent', async () => {
    const ended = Promise.withResolvers<void>();
    const { port } = await run(async () => {
      const slow = new TransformStream<Uint8Array, Uint8Array>();
      const writer = slow.writable.getWriter();
      void writer.write(Buffer.from('begun'));
      void ended.promise.then(() => writer.close());
      return new Response(slow.readable);
    });
    const accepted = new Promise<Socket>((resolve) => open.at(-1)?.once('connection', resolve));
    const size = 64 * 1024 * 1024;
    const socket = connect(port, '127.0.0.1');
    const begun = new Promise<void>((resolve) => socket.once('data', () => resolve()));
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`);
    socket.write(Buffer.alloc(size));
    const taken = await accepted;
    await begun;
    let before = -1;
    while (taken.bytesRead !== before) {
      before = taken.bytesRead;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(before).toBeLessThan(1024 * 1024);
    socket.destroy();
    ended.resolve();
  });

  it('tells the handler by signal and by its body that the client has gone', async () => {
    const told: string[] = [];
    let started: (() => void) | undefined;
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const { port, listener, served } = await run(async (request) => {
      request.signal.addEventListener('abort', () => told.push('signal'));
      started?.();
      await request.text().catch((error: Error) => told.push(error.name));
      return new Response('late');
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
    await running;
    socket.destroy();
    await listener.idle();
    expect(told.sort()).toEqual(['ClientGoneError', 'signal']);
    expect(served).toMatchObject([{ status: 0, whole: false }]);
    expect(served[0]?.failure).toBeUndefined();
  });

  it('REPO-009: says nothing of what the handler threw', async () => {
    const { port, listener, served } = await run(async () => {
      throw new Error('secret /etc/passwd');
    });
    const reply = await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(reply).toMatch(/^HTTP\/1\.1 500 /);
    expect(reply).not.toContain('secret');
    await listener.idle();
    expect(served[0]?.failure).toBeInstanceOf(Error);
  });

  it('closes the connection when a reply fails half-way, so that the client sees it as incomplete', async () => {
    const { port } = await run(
      async () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              await new Promise((resolve) => setTimeout(resolve, 10));
              controller.enqueue(new Uint8Array([65]));
              await new Promise((resolve) => setTimeout(resolve, 10));
              controller.error(new Error('disk'));
            },
          }),
        ),
    );
    const reply = await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(reply).toContain('1\r\nA\r\n');
    expect(reply.endsWith('0\r\n\r\n')).toBe(false);
  });

  it.each([
    ['a Host that is none', 'GET / HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n', 400],
    ['a target that is no path', 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
  ])('refuses %s', async (_, head, status) => {
    const { port } = await run(async () => new Response('reached'));
    const reply = await exchange(port, head);
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(reply).not.toContain('reached');
  });

  it.each([
    ['GET http://someone:PASSWORD@a.test/x?q=1', '/x'],
    ['GET http://someone:PASSWORD@/x', ''],
    ['OPTIONS *', '*'],
  ])('REPO-009: tells the log only the path of "%s"', async (line, path) => {
    const { port, listener, served } = await run(async () => new Response('x'));
    await exchange(port, `${line} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`);
    await listener.idle();
    expect(served.map((one) => one.path)).toEqual([path]);
  });

  it('hands a TRACE on, which Fetch cannot make', async () => {
    const { port } = await run(async (request) => new Response(request.method, { status: 405 }));
    const reply = await exchange(port, 'TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(reply).toMatch(/^HTTP\/1\.1 405 [^]*\r\n\r\nTRACE$/);
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a head that is too long', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
    ['a Host that is none', 'GET / HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n', 400],
    ['a chunk that is none', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n', 400],
  ])('REPO-007: completes the headers of the refusal of %s', async (_, head, status) => {
    const { port } = await run(async (request) => new Response(await request.text()), {
      complete: (headers) => headers.set('x-id', '1'),
    });
    const reply = await exchange(port, head);
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\n`));
    expect(reply.match(/^x-id: 1\r$/gm)).toHaveLength(1);
    expect(reply.split('\r\n\r\n')).toHaveLength(2);
  });

  it('does not take a target with two slashes for a host', async () => {
    const { port } = await run(async (request) => new Response(new URL(request.url).host));
    const reply = await exchange(port, 'GET //evil.test/x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n');
    expect(reply.endsWith('\r\n\r\na.test')).toBe(true);
  });

  it('keeps a connection for the next request until `closeConnections` is called', async () => {
    const { port, listener } = await run(async () => new Response('x'));
    const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
      if (text.split('HTTP/1.1 200').length === 2) {
        listener.closeConnections();
        socket.write(get);
      }
    });
    socket.write(get);
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    expect(text.match(/connection: (?:keep-alive|close)/gi)).toEqual(['Connection: keep-alive', 'connection: close']);
  });

  it('answers pipelined requests one after the other, in their order', async () => {
    let atOnce = 0;
    let most = 0;
    const { port } = await run(async (request) => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      return new Response(new URL(request.url).pathname);
    });
    const requests = Array.from({ length: 16 }, (_, i) => `GET /${i} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const reply = await exchange(port, `${requests.join('')}GET /end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(reply.match(/^\/(?:\d+|end)/gm)).toEqual([...requests.map((_, i) => `/${i}`), '/end']);
    expect(most).toBe(1);
  });

  it.each([
    ['requests', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2000)],
    ['bytes of headers', `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(12_000)}\r\n\r\n`.repeat(4)],
  ])(
    'LIM-023: cuts a connection on which too many %s wait, and calls the handler for none of them',
    async (_, requests) => {
      let calls = 0;
      const { port, listener } = await run(async (request) => {
        calls += 1;
        // The first request must still run when the last one arrives.
        await new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve()));
        return new Response('x');
      });
      expect(await exchange(port, requests)).toBe('');
      await listener.idle();
      expect(calls).toBe(1);
    },
  );

  it('calls no handler for a pipelined request whose client has gone', async () => {
    const calls: string[] = [];
    const leave = Promise.withResolvers<void>();
    const { port, listener } = await run(async (request) => {
      calls.push(new URL(request.url).pathname);
      leave.resolve();
      await new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve()));
      return new Response('x');
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n');
    await leave.promise;
    socket.destroy();
    await listener.idle();
    expect(calls).toEqual(['/1']);
  });
});
