import { afterEach, describe, expect, it } from 'vitest';
import { client, cutAll, exchange, openSockets, run, runtime, until } from '../support/running-sockets.ts';

type Held = PromiseWithResolvers<void>;

afterEach(cutAll);

/** Resolves once a number has stayed the same for a while: buffers of the kernel are full. */
async function settled(value: () => number): Promise<number> {
  for (let before = -1; before !== value();) {
    before = value();
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  return value();
}

/** The same stream, with a pause before each chunk. */
function slowly(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const step = await reader.read();
      if (step.done) controller.close();
      else controller.enqueue(step.value);
    },
  });
}

/** A stream that makes chunks when asked and counts them. */
function counted(
  chunks: number,
  size: number,
): { stream: ReadableStream<Uint8Array>; made: () => number; cancelled: Promise<void> } {
  let made = 0;
  const cancelled = Promise.withResolvers<void>();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller): Promise<void> {
        await Promise.resolve();
        if (made === chunks) {
          controller.close();
          return;
        }
        made += 1;
        controller.enqueue(new Uint8Array(size).fill(65));
      },
      cancel: () => cancelled.resolve(),
    },
    { highWaterMark: 0 },
  );
  return { stream, made: () => made, cancelled: cancelled.promise };
}

const close = 'Host: a.test\r\nConnection: close\r\n';

describe(`sockets of ${runtime}`, () => {
  it('pass method, address, headers and body on unchanged, and the reply back', async () => {
    const { port, sockets, served } = await run(async (request) => {
      const { method, url, headers } = request;
      const [twice, encoding] = [headers.get('x-twice'), headers.get('content-encoding')];
      let text = '';
      for await (const chunk of request.body ?? []) text += new TextDecoder().decode(chunk);
      const cookies: [string, string][] = [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ];
      return Response.json({ method, url, twice, encoding, text }, { status: 201, headers: cookies });
    });
    const reply = await exchange(
      port,
      `POST /a%2Fb?q=1 HTTP/1.1\r\n${close}X-Twice: 1\r\nX-Twice: 2\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(reply).toMatch(/\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n/i);
    expect(reply).toMatch(/\r\ncontent-length: \d+\r\n/i);
    // GIT-010: only the service decodes a body, because it counts the bytes.
    expect(JSON.parse(reply.split('\r\n\r\n')[1] as string)).toEqual({
      method: 'POST',
      url: 'http://a.test/a%2Fb?q=1',
      twice: '1, 2',
      encoding: 'gzip',
      text: 'hello',
    });
    await sockets.idle();
    expect(served).toMatchObject([{ method: 'POST', path: '/a%2Fb', status: 201, received: 5, whole: true }]);
    expect(served[0]?.sent).toBeGreaterThan(50);
  });

  it('compress no reply', async () => {
    const { port } = await run(async () => Response.json({ long: 'x'.repeat(5_000) }));
    const reply = await exchange(port, `GET / HTTP/1.1\r\n${close}Accept-Encoding: gzip, br\r\n\r\n`);
    expect(reply).not.toMatch(/content-encoding/i);
    expect(reply).toContain('x'.repeat(5_000));
  });

  it('serve HTTP/1.0 without a Host, and end the body by closing', async () => {
    const { port } = await run(async ({ url }) => new Response(counted(3, 4).stream, { headers: { 'x-url': url } }));
    const reply = await exchange(port, 'GET /x HTTP/1.0\r\n\r\n');
    // Deno makes a host of where it listens.
    expect(reply).toContain(
      runtime === 'deno' ? `x-url: http://localhost:${port}/x\r\n` : 'x-url: http://fallback.test/x\r\n',
    );
    expect(reply).not.toMatch(/transfer-encoding/i);
    expect(reply.split('\r\n\r\n')[1]).toBe('A'.repeat(12));
  });

  it('REPO-146: tell the length of a reply that tells its own, though it comes in pieces', async () => {
    for (const [chunks, size] of [
      [3, 200_000],
      [16, 65_536],
      [2, 1],
    ] as const) {
      const headers = { 'content-length': String(chunks * size) };
      const { port } = await run(async () => new Response(slowly(counted(chunks, size).stream), { headers }));
      const reply = await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      const [head = '', body = ''] = [
        reply.slice(0, reply.indexOf('\r\n\r\n')),
        reply.slice(reply.indexOf('\r\n\r\n') + 4),
      ];
      expect([/^content-length: (\d+)$/im.exec(head)?.[1], body.length]).toEqual([
        String(chunks * size),
        chunks * size,
      ]);
    }
  });

  it('REPO-146: break off a reply that ends before the length it tells, or fails', async () => {
    const failing = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          controller.error(new Error('no more'));
        },
      });
    for (const body of [() => slowly(counted(2, 1000).stream), failing]) {
      const headers = { 'content-length': '3000' };
      const { port, sockets, served } = await run(async () => new Response(body(), { headers }));
      const reply = await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      const [, length] = /^content-length: (\d+)$/im.exec(reply) ?? [];
      const end = reply.indexOf('\r\n\r\n') + 4;
      const isWhole =
        reply.startsWith('HTTP/1.1 200') &&
        (length === undefined ? reply.endsWith('\r\n0\r\n\r\n') : reply.length - end === Number(length));
      expect(isWhole).toBe(false);
      await sockets.idle();
      expect(served).toHaveLength(1);
    }
  });

  it('answer HEAD and 204 without a body, and drop the one there is', async () => {
    const source = counted(1000, 10);
    const { port } = await run(async ({ url }) =>
      url.endsWith('/204')
        ? new Response(null, { status: 204 })
        : new Response(source.stream, { headers: { 'x-a': 'b' } }),
    );
    const head = await exchange(port, `HEAD / HTTP/1.1\r\n${close}\r\n`);
    expect(head).toMatch(/\r\nx-a: b\r\n/);
    expect(head).not.toMatch(/content-length: 0/i);
    expect(head.split('\r\n\r\n')[1]).toBe('');
    await source.cancelled;
    const empty = await exchange(port, `DELETE /204 HTTP/1.1\r\n${close}\r\n`);
    expect(empty).toMatch(/^HTTP\/1\.1 204 /);
    expect(empty).not.toMatch(/content-length|transfer-encoding|content-type/i);
  });

  it('GIT-012: send 100 Continue to who waits for it', async () => {
    const { port } = await run(async (request) => {
      let bytes = 0;
      for await (const chunk of request.body ?? []) bytes += chunk.byteLength;
      return new Response(String(bytes));
    });
    const { socket, text, closed } = client(port);
    socket.write(`POST / HTTP/1.1\r\n${close}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`);
    await until(() => text() !== '');
    socket.write('ok');
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n2$/);
  });

  it.each([
    ['nothing of', async () => undefined],
    ['the begin of', async (request: Request) => await request.body?.getReader().read()],
  ])('let a client that is still sending read the reply of a handler that took %s the body', async (_, take) => {
    const { port, sockets } = await run(async (request) => {
      await take(request);
      return new Response('Push is too large', { status: 413 });
    });
    const size = 16 * 1024 * 1024;
    const { socket, text } = client(port);
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`);
    await new Promise((resolve) => socket.write(Buffer.alloc(size), resolve));
    await until(() => text().includes('too large'));
    expect(text()).toMatch(/^HTTP\/1\.1 413 [^]*\r\n\r\nPush is too large$/);
    socket.destroy();
    await sockets.idle();
  });

  it('keep the connection after a refusal of a request whose body came with it', async () => {
    const { port } = await run(async () => new Response('no', { status: 401 }));
    const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n';
    const reply = await exchange(port, `${post}\r\nhello${post}Connection: close\r\n\r\nhello`);
    expect(reply.match(/HTTP\/1\.1 401 /g)).toHaveLength(2);
  });

  it('ask a reply body for no more than the client takes, and end it when the client leaves', async () => {
    const source = counted(10_000, 65_536);
    const { port, sockets, served } = await run(async () => new Response(source.stream));
    const { socket } = client(port);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => source.made() > 0);
    expect(await settled(source.made)).toBeLessThan(1000);
    socket.destroy();
    await source.cancelled;
    await sockets.idle();
    expect(served).toMatchObject([{ whole: false }]);
  });

  it.each([
    ['has read nothing', async () => undefined],
    ['has read its begin', async (reader: ReadableStreamDefaultReader<Uint8Array>) => await reader.read()],
  ])('take no more of a request body than the handler reads, which %s', async (_, begin) => {
    const held = Promise.withResolvers<void>();
    const { port } = await run(async (request) => {
      const reader = (request.body as ReadableStream<Uint8Array>).getReader();
      let bytes = (await begin(reader))?.value?.byteLength ?? 0;
      await held.promise;
      for (let step = await reader.read(); !step.done; step = await reader.read()) bytes += step.value.byteLength;
      return new Response(String(bytes));
    });
    // More than any runtime takes by default (Bun: 128 MiB).
    const size = 160 * 1024 * 1024;
    const { socket, text, closed } = client(port);
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${size}\r\n\r\n`);
    let left = size;
    const piece = Buffer.alloc(1024 * 1024);
    const send = (): void => {
      if (left === 0) return;
      left -= piece.length;
      socket.write(piece, send);
    };
    send();
    expect(await settled(() => left)).toBeGreaterThan(size / 2);
    held.resolve();
    await closed;
    expect(text().endsWith(`\r\n\r\n${size}`)).toBe(true);
  });

  it('tell the handler by signal and by its body that the client has gone', async () => {
    const told: string[] = [];
    const started = Promise.withResolvers<void>();
    const { port, sockets, served } = await run(async (request) => {
      request.signal.addEventListener('abort', () => told.push('signal'));
      const reader = (request.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      started.resolve();
      await reader.read().catch((error: Error) => told.push(error.name));
      return new Response('late');
    });
    const { socket } = client(port);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
    await started.promise;
    socket.destroy();
    await until(() => told.length > 1);
    await sockets.idle();
    expect(told.toSorted()).toEqual(['ClientGoneError', 'signal']);
    expect(served).toMatchObject([{ status: 0, whole: false }]);
    expect(served[0]?.failure).toBeUndefined();
  });

  it('hold no request whose client left before it was answered', async () => {
    const source = counted(10_000, 65_536);
    const [started, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { port, sockets } = await run(async () => {
      started.resolve();
      await held.promise;
      return new Response(source.stream);
    });
    const { socket, closed } = client(port);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await started.promise;
    socket.destroy();
    await closed;
    held.resolve();
    await sockets.idle();
    expect(source.made()).toBeLessThan(1000);
  });

  it('REPO-009: say nothing of what the handler threw', async () => {
    const { port, sockets, served } = await run(async () => {
      throw new Error('secret /etc/passwd');
    });
    const reply = await exchange(port, `GET / HTTP/1.1\r\n${close}\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 500 /);
    expect(reply).not.toContain('secret');
    await sockets.idle();
    expect(served[0]?.failure).toBeInstanceOf(Error);
  });

  it.each([0, 1, 3])(
    'cut the connection when a reply fails after %i chunks, so that the client sees it as incomplete',
    async (chunks) => {
      let made = 0;
      const { port, sockets, served } = await run(
        async () =>
          new Response(
            new ReadableStream({
              async pull(controller): Promise<void> {
                await new Promise((resolve) => setTimeout(resolve, 10));
                if (made++ < chunks) controller.enqueue(new Uint8Array([65]));
                else controller.error(new Error('disk'));
              },
            }),
          ),
      );
      const reply = await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      expect(reply.match(/1\r\nA\r\n/g) ?? []).toHaveLength(chunks);
      expect(reply.endsWith('0\r\n\r\n')).toBe(false);
      expect(reply).not.toMatch(/content-length/i);
      await sockets.idle();
      expect(served).toMatchObject([{ whole: false, failure: new Error('disk') }]);
    },
  );

  it('refuse to listen on a port in use', async () => {
    const { port } = await run(async () => new Response('first'));
    const second = openSockets(
      { host: '127.0.0.1', port },
      { handler: async () => new Response('second'), fallbackHost: 'a' },
    );
    await expect(second).rejects.toMatchObject({
      kind: 'address',
      message: `Port ${port} on 127.0.0.1 is already in use.`,
    });
  });

  it('REPO-009: tell the log only the path of an address with user, password and query', async () => {
    const { port, sockets, served } = await run(async () => new Response('x'));
    await exchange(port, `GET http://someone:PASSWORD@a.test/x?q=1 HTTP/1.1\r\n${close}\r\n`);
    await sockets.idle();
    expect(served.map((one) => one.path)).toEqual(['/x']);
  });

  it.each([
    ['a reply of the handler', 'GET /', 200],
    ['a handler that threw', 'GET /throw', 500],
    ['a TRACE, which Fetch cannot make', 'TRACE /', 200],
  ])('REPO-007: complete the headers of %s', async (_, line, status) => {
    const { port } = await run(
      async (request) => {
        if (request.url.endsWith('/throw')) throw new Error('no');
        return new Response(request.method);
      },
      { complete: (headers) => headers.set('x-id', '1') },
    );
    const reply = await exchange(port, `${line} HTTP/1.1\r\n${close}\r\n`);
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\n`));
    expect(reply.match(/^x-id: 1\r$/gim)).toHaveLength(1);
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a length that is none', `POST / HTTP/1.1\r\n${close}Content-Length: x\r\n\r\n`],
    [
      'two ways to tell the length',
      `POST / HTTP/1.1\r\n${close}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
  ])('let %s reach no handler', async (_, head) => {
    let reached = false;
    const { port } = await run(async () => {
      reached = true;
      return new Response('reached');
    });
    expect(await exchange(port, head)).toMatch(/^(?:HTTP\/1\.1 400 |$)/);
    expect(reached).toBe(false);
  });

  it('drain: take no new request, and let running ones end, with the bodies that are on their way', async () => {
    const [started, reading, held] = [0, 1, 2].map(() => Promise.withResolvers<void>()) as [Held, Held, Held];
    const { port, sockets } = await run(async (request) => {
      if (request.method === 'POST') {
        let text = '';
        for await (const chunk of request.body ?? []) {
          text += new TextDecoder().decode(chunk);
          reading.resolve();
        }
        return new Response(`got ${text}`);
      }
      if (!request.url.endsWith('/slow')) return new Response('reached');
      started.resolve();
      await held.promise;
      return new Response('slow');
    });
    const [idle, slow, push] = [client(port), client(port), client(port)];
    idle.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    slow.socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    push.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc');
    await Promise.all([started.promise, reading.promise]);
    await until(() => idle.text() !== '' && sockets.running() === 2);
    sockets.drain();
    // Deno goes on listening, for its own way to stop would cut the push.
    if (runtime !== 'deno') await idle.closed;
    const late = client(port);
    late.socket.write(`GET / HTTP/1.1\r\n${close}\r\n`);
    await late.closed;
    expect(late.text()).toMatch(runtime === 'deno' ? /^HTTP\/1\.1 503 / : /^$/);
    push.socket.write('def');
    held.resolve();
    await sockets.idle();
    expect(sockets.running()).toBe(0);
    await sockets.cut();
    await Promise.all([idle, slow, push].map(({ closed }) => closed));
    expect(push.text()).toMatch(/\r\n\r\ngot abcdef$/);
    expect(slow.text()).toMatch(/\r\n\r\nslow$/);
  });

  it.each(['drained', 'open'])('cut what runs, also where nothing was sent or asked yet, when %s', async (state) => {
    const [started, reading] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { port, sockets } = await run(async (request) => {
      if (request.method === 'POST') {
        const reader = (request.body as ReadableStream<Uint8Array>).getReader();
        await reader.read();
        reading.resolve();
        await reader.read();
      }
      started.resolve();
      return await new Promise<Response>(() => undefined);
    });
    const [asking, sending] = [client(port), client(port)];
    asking.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    sending.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
    await Promise.all([started.promise, reading.promise]);
    if (state === 'drained') sockets.drain();
    await sockets.cut();
    await Promise.all([asking.closed, sending.closed]);
    for (const one of [asking, sending]) expect(one.text()).not.toMatch(/0\r\n\r\n$/);
  });
});
