import { readFileSync } from 'node:fs';
import { connect as tlsConnect } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectionsDefault } from '../../src/process/descriptors.ts';
import { client, cutAll, exchange, run, runtime, until } from '../support/running-sockets.ts';

afterEach(async () => {
  vi.useRealTimers();
  await cutAll();
});

describe(`clients of sockets of ${runtime}`, () => {
  it.each([
    [
      'has read its packets and cancelled it',
      async (request: Request) => {
        const reader = (request.body as ReadableStream<Uint8Array>).getReader();
        await reader.read();
        await reader.cancel();
      },
    ],
    ['has read nothing', async () => undefined],
  ])('GIT-035: keep the connection when the last chunk comes after the handler %s', async (_, take) => {
    const answered = Promise.withResolvers<void>();
    const { port, sockets } = await run(async (request) => {
      if (request.method === 'GET') return new Response('second');
      await take(request);
      answered.resolve();
      return new Response('first');
    });
    const { socket, text } = client(port);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n0000\r\n');
    await answered.promise;
    // Passes of the event loop in which an early reply would be written.
    for (let pass = 0; pass < 10; pass++) await new Promise((resolve) => setImmediate(resolve));
    socket.write('0\r\n\r\n');
    await until(() => text().includes('first'));
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => text().includes('second') || socket.destroyed);
    expect(text()).toMatch(/^HTTP\/1\.1 200 [^]*first[^]*HTTP\/1\.1 200 [^]*second$/);
    socket.destroy();
    await sockets.idle();
  });

  it.each([
    ['has read nothing', async () => undefined],
    [
      'has read a part and cancelled it',
      async (request: Request) => {
        const reader = (request.body as ReadableStream<Uint8Array>).getReader();
        await reader.read();
        await reader.cancel();
      },
    ],
  ])('send all of a body and read the reply on a connection that they close, when the handler %s', async (_, take) => {
    const answered = Promise.withResolvers<void>();
    const { port, sockets } = await run(async (request) => {
      await take(request);
      answered.resolve();
      return new Response('no', { status: 401 });
    });
    const { socket, text } = client(port);
    const failures: unknown[] = [];
    const send = (bytes: number): Promise<void> =>
      new Promise((resolve) => {
        socket.write('x'.repeat(bytes), (failure) => {
          if (failure) failures.push(failure);
          resolve();
        });
      });
    socket.write('PUT / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 400000\r\n\r\n');
    await send(100_000);
    await answered.promise;
    for (let part = 0; part < 3; part++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await send(100_000);
    }
    await until(() => socket.destroyed);
    expect(failures).toEqual([]);
    expect(text()).toMatch(/^HTTP\/1\.1 401 [^]*no/);
    await sockets.idle();
  });

  it.each([
    ['a Host that is none', 'Host: a b/c'],
    ['two Hosts', 'Host: a\r\nHost: b'],
    ['one Host twice', 'Host: a\r\nHost: a'],
    ['a Host and an empty one', 'Host: a\r\nHost: '],
  ])('REPO-049: refuse %s with 400', async (_, lines) => {
    let reached = false;
    const { port } = await run(async () => {
      reached = true;
      return new Response('reached');
    });
    const reply = await exchange(port, `GET / HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reached).toBe(false);
  });

  /** A handler that counts what it reads, and how its body ended. */
  function reading(): { handler: (request: Request) => Promise<Response>; bytes: () => number; ends: string[] } {
    let bytes = 0;
    const ends: string[] = [];
    const handler = async (request: Request): Promise<Response> => {
      request.signal.addEventListener('abort', () => ends.push('signal'));
      try {
        for await (const chunk of request.body ?? []) bytes += chunk.byteLength;
      } catch (error) {
        ends.push((error as Error).name);
        throw error;
      }
      return new Response(`got ${bytes}`);
    };
    return { handler, bytes: () => bytes, ends };
  }

  /** Timers that run on a clock that the test moves. */
  const stopClock = (): void => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  };
  const waiting = (): boolean => vi.getTimerCount() > 0;

  it('LIM-020: answer a body that is silent for too long with 408, and let go of it', async () => {
    const { handler, bytes, ends } = reading();
    const { port, sockets, served } = await run(handler);
    stopClock();
    const { socket, text, closed } = client(port);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
    await until(() => bytes() === 3 && waiting());
    vi.advanceTimersByTime(59_999);
    for (let pass = 0; pass < 10; pass++) await new Promise((resolve) => setImmediate(resolve));
    expect([text(), ends]).toEqual(['', []]);
    vi.advanceTimersByTime(1);
    await until(() => text() !== '');
    expect(ends).toEqual(['signal', 'ClientGoneError']);
    expect(text()).toMatch(/^HTTP\/1\.1 408 /);
    // A connection that cannot be used again must not stay; Node takes in for a moment what still comes.
    vi.advanceTimersByTime(10_000);
    // Deno keeps it until the client closes it.
    if (runtime === 'deno') socket.destroy();
    await closed;
    await sockets.idle();
    expect(served).toMatchObject([{ status: 408, received: 3 }]);
    expect(served[0]?.failure).toBeUndefined();
  });

  it('LIM-020: let a body go on that is slow and moves', async () => {
    const { handler, bytes, ends } = reading();
    const { port } = await run(handler);
    stopClock();
    const { socket, text } = client(port);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    for (let sent = 1; sent <= 5; sent++) {
      socket.write('1\r\nx\r\n');
      await until(() => bytes() === sent && waiting());
      vi.advanceTimersByTime(59_999);
    }
    socket.write('0\r\n\r\n');
    await until(() => text().includes('got 5'));
    expect(ends).toEqual([]);
    socket.destroy();
  });

  it('LIM-020: count no silence while the handler does not read', async () => {
    const held = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const { port } = await run(async (request) => {
      started.resolve();
      await held.promise;
      return new Response(`got ${await request.text()}`);
    });
    stopClock();
    const { socket, text } = client(port);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc');
    await started.promise;
    vi.advanceTimersByTime(600_000);
    held.resolve();
    await until(() => text().endsWith('got abc'));
    socket.destroy();
  });

  it('LIM-020: wait for the end of the work of a request whose client fell silent', async () => {
    const held = Promise.withResolvers<void>();
    const { port, sockets } = await run(async (request) => {
      const reader = (request.body as ReadableStream<Uint8Array>).getReader();
      while ((await reader.read().catch(() => undefined))?.value !== undefined);
      await held.promise;
      return new Response('late');
    });
    stopClock();
    const { socket, text } = client(port);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na');
    await until(waiting);
    vi.advanceTimersByTime(60_000);
    await until(() => text().includes(' 408 '));
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    socket.destroy();
    let isIdle = false;
    const idle = sockets.idle().then(() => (isIdle = true));
    for (let pass = 0; pass < 10; pass++) await new Promise((resolve) => setImmediate(resolve));
    expect([isIdle, sockets.running()]).toEqual([false, 1]);
    held.resolve();
    await idle;
  });

  /** `sl local remote st tx:rx tr:tm` of each TCP socket; a timer 02 is that of keep-alive. */
  const timerOf = (localPort: number, remotePort: number): string | undefined => {
    const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
    const line = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((one) => one.trim().split(/\s+/))
      .find(([, local, remote]) => local?.endsWith(`:${hex(localPort)}`) && remote?.endsWith(`:${hex(remotePort)}`));
    return line?.[5]?.slice(0, 2);
  };

  // Deno and Bun offer no way to.
  it.runIf(runtime === 'node' && process.platform === 'linux')('probe connections that are silent', async () => {
    const { port } = await run(async () => new Response('x'));
    const { socket, text } = client(port);
    socket.write(get);
    await until(() => text() !== '');
    expect(timerOf(port, Number(socket.localPort))).toBe('02');
    socket.destroy();
  });
});

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** A handler that holds a request for `/held` until it is released. */
function holding(): { handler: (request: Request) => Promise<Response>; held: () => number; release: () => void } {
  const released = Promise.withResolvers<void>();
  let held = 0;
  const handler = async ({ url }: Request): Promise<Response> => {
    if (!url.endsWith('/held')) return new Response('done');
    held += 1;
    await released.promise;
    return new Response('released');
  };
  return { handler, held: () => held, release: released.resolve };
}

// Deno and Bun do not expose their connections.
describe.runIf(runtime === 'node')('connections', () => {
  const getHeld = get.replace('/', '/held');

  it('LIM-021: close the one that has been idle for longest when there are too many', async () => {
    const { handler, held, release } = holding();
    const { port } = await run(handler, {}, { connectionsMax: 3 });
    const [busy, first, second] = [client(port), client(port), client(port)];
    busy.socket.write(getHeld);
    await until(() => held() === 1);
    for (const one of [first, second, first]) {
      const before = one.text().length;
      one.socket.write(get);
      await until(() => one.text().length > before);
    }
    const third = client(port);
    third.socket.write(get);
    await second.closed;
    await until(() => third.text().endsWith('done'));
    expect([busy, first, third].map(({ socket }) => socket.destroyed)).toEqual([false, false, false]);
    release();
    await until(() => busy.text().endsWith('released'));
    for (const { socket } of [busy, first, third]) socket.destroy();
  });

  it('LIM-021: close a new one at once when none is idle, and take one again when one is', async () => {
    const { handler, held, release } = holding();
    const { port } = await run(handler, {}, { connectionsMax: 2 });
    const busy = [client(port), client(port)];
    for (const { socket } of busy) socket.write(getHeld);
    await until(() => held() === 2);
    const refused = [client(port), client(port), client(port)];
    await Promise.all(refused.map(({ closed }) => closed));
    expect(refused.map(({ text }) => text())).toEqual(['', '', '']);
    release();
    await until(() => busy.every(({ text }) => text().endsWith('released')));
    const later = client(port);
    later.socket.write(get);
    await until(() => later.text().endsWith('done'));
    for (const { socket } of [later, ...busy]) socket.destroy();
  });

  it('LIM-021: count connections of TLS, and those that shake no hands', async () => {
    const { handler, held, release } = holding();
    const file = (name: string): string => readFileSync(new URL(`localhost.test.${name}.pem`, import.meta.url), 'utf8');
    const { port } = await run(handler, {}, { connectionsMax: 2, tls: { cert: file('cert'), key: file('key') } });
    const silent = client(port);
    const busy = tlsConnect({ port, host: '127.0.0.1', rejectUnauthorized: false }).setEncoding('latin1');
    let text = '';
    busy.on('data', (chunk) => (text += String(chunk))).on('error', () => undefined);
    busy.write(getHeld);
    await until(() => held() === 1);
    const next = client(port);
    await silent.closed;
    const last = client(port);
    await next.closed;
    release();
    await until(() => text.endsWith('released'));
    last.socket.destroy();
    busy.destroy();
  });
});

describe('connectionsDefault', () => {
  it.each([
    [64, 16],
    [128, 32],
    [1_024, 512],
    [20_000, 10_000],
    [1_048_576, 10_000],
  ])('LIM-021: of %i descriptors it leaves enough for files', (limit, connections) => {
    expect(connectionsDefault(limit)).toBe(connections);
  });
});
