import { afterEach, describe, expect, it, vi } from 'vitest';
import { client, cutAll, run, runtime, until } from '../support/running-sockets.ts';
import { stopServing } from '../../src/serve/stop-serving.ts';

afterEach(async () => {
  vi.useRealTimers();
  await cutAll();
});

async function passes(): Promise<void> {
  for (let pass = 0; pass < 20; pass++) await new Promise((resolve) => setImmediate(resolve));
}

const push = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc';
const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe(`a stop with sockets of ${runtime}`, () => {
  it.each([
    [
      'that still answers',
      get,
      async (_: Request, finish: Promise<void>): Promise<Response> => {
        await finish;
        return new Response('late');
      },
    ],
    [
      'that fails when it is cut',
      push,
      async (request: Request, finish: Promise<void>): Promise<Response> => {
        try {
          for await (const _ of request.body ?? []);
        } finally {
          await finish;
        }
        return new Response('never');
      },
    ],
    [
      'whose reply has begun',
      get,
      async (_: Request, finish: Promise<void>): Promise<Response> =>
        new Response(
          new ReadableStream({
            start: (one) => one.enqueue(new Uint8Array(1)),
            pull: () => new Promise(() => undefined),
            cancel: () => finish,
          }),
        ),
    ],
  ])('closes nothing before the work of a request has ended %s', async (name, sent, handle) => {
    const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const begins = name === 'whose reply has begun';
    const order: string[] = [];
    const { port, sockets } = await run(async (request) => {
      started.resolve();
      const ended = finish.promise.then(() => void order.push('work ended'));
      return await handle(request, ended);
    });
    const { socket, closed, text } = client(port);
    socket.write(sent);
    await started.promise;
    if (begins) await until(() => text() !== '');
    const stop = stopServing(
      sockets,
      async () => void order.push('released'),
      () => void order.push('interrupted'),
    );
    const stopped = stop(0);
    await closed;
    await passes();
    expect(order).toEqual(['interrupted']);
    finish.resolve();
    expect(await stopped).toBe(1);
    expect(order).toEqual(['interrupted', 'work ended', 'released']);
  });

  it('interrupts nothing where all requests end within the grace', async () => {
    const order: string[] = [];
    const { port, sockets } = await run(async () => new Response('x'));
    const { socket, text, closed } = client(port);
    socket.write(get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    await until(() => text().endsWith('x'));
    await closed;
    const stop = stopServing(
      sockets,
      async () => void order.push('released'),
      () => void order.push('interrupted'),
    );
    expect(await stop(60_000)).toBe(0);
    expect(order).toEqual(['released']);
  });
});

it('waits without a limit for the work of requests that were cut', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const work = Promise.withResolvers<void>();
  const order: string[] = [];
  const sockets = {
    drain: () => undefined,
    idle: () => work.promise,
    running: () => 1,
    cut: async () => void order.push('cut'),
  };
  const stopped = stopServing(sockets, async () => void order.push('released'))(1_000);
  vi.advanceTimersByTime(1_000);
  await passes();
  vi.advanceTimersByTime(600_000);
  await passes();
  expect(order).toEqual(['cut']);
  work.resolve();
  expect(await stopped).toBe(1);
  expect(order).toEqual(['cut', 'released']);
});
