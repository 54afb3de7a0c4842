import { describe, expect, it, vi } from 'vitest';
import { createPlatformErrors } from '../response/create.ts';
import type { LogRecord } from '../response/log.ts';
import { watchBody } from './watch-body.ts';

const request = new Request('https://shop.example/');
const later = (milliseconds = 5): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function withLog(): { readonly errors: ReturnType<typeof createPlatformErrors>; readonly log: LogRecord[] } {
  const log: LogRecord[] = [];
  return { errors: createPlatformErrors({ log: (record) => log.push(record) }), log };
}

/** A body with delayed chunks, which counts its reads. */
function streamOf(chunks: readonly string[], end: 'closes' | 'breaks' = 'closes') {
  const left = [...chunks];
  const cancel = vi.fn();
  const pull = vi.fn(async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    await later();
    const chunk = left.shift();
    if (chunk !== undefined) controller.enqueue(new TextEncoder().encode(chunk));
    else if (end === 'closes') controller.close();
    else throw new Error('the source failed');
  });
  return { body: new ReadableStream<Uint8Array<ArrayBuffer>>({ pull, cancel }, { highWaterMark: 0 }), pull, cancel };
}

describe('ERR-127: the body of a response that has begun', () => {
  it('is passed on unchanged, with status and headers', async () => {
    const { errors, log } = withLog();
    const init = {
      status: 203,
      statusText: 'Fine',
      headers: [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
    } as const;
    const response = await watchBody(errors, request, new Response(streamOf(['one', 'two']).body, init as never));
    expect([response.status, response.statusText, response.headers.getSetCookie()]).toEqual([
      203,
      'Fine',
      ['a=1', 'b=2'],
    ]);
    expect(await response.text()).toBe('onetwo');
    expect(log).toEqual([]);
  });

  it('breaks off without a message, and the log has the reason', async () => {
    const { errors, log } = withLog();
    const response = await watchBody(errors, request, new Response(streamOf(['one'], 'breaks').body));
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('one');
    await expect(reader?.read()).rejects.toThrow(/^The body broke off\.$/);
    expect(log).toEqual([{ event: 'broken-stream', ray_id: '', message: 'the source failed' }]);
  });

  it('is logged once by two nested watchers', async () => {
    const { errors, log } = withLog();
    const inner = await watchBody(errors, request, new Response(streamOf(['one'], 'breaks').body));
    await expect((await watchBody(errors, request, inner)).text()).rejects.toThrow('The body broke off.');
    expect(log).toHaveLength(1);
  });

  it('is not logged if the client has disconnected', async () => {
    const { errors, log } = withLog();
    const controller = new AbortController();
    const gone = new Request(request, { signal: controller.signal });
    const response = await watchBody(errors, gone, new Response(streamOf(['one'], 'breaks').body));
    controller.abort();
    await expect(response.text()).rejects.toThrow('The body broke off.');
    expect(log).toEqual([]);
  });

  it('is cancelled with its reader, including the reason', async () => {
    const { body, cancel } = streamOf(['one', 'two']);
    const { errors, log } = withLog();
    const response = await watchBody(errors, request, new Response(body));
    await response.body?.cancel('enough');
    expect(cancel).toHaveBeenCalledWith('enough');
    expect(log).toEqual([]);
  });

  it('is read with backpressure', async () => {
    const { body, pull } = streamOf(['one', 'two', 'three']);
    const response = await watchBody(withLog().errors, request, new Response(body));
    await later(30);
    expect(pull).toHaveBeenCalledOnce();
    await response.body?.cancel();
  });

  it('is buffered up to a limit if it has all chunks ready', async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const response = await watchBody(withLog().errors, request, new Response(body));
    expect(sent).toBeLessThan(20);
    const reader = response.body?.getReader();
    for (let read = 0; read < 40; read += 1) expect((await reader?.read())?.value?.length).toBe(65_536);
    await reader?.cancel();
  });

  it('may break while buffered chunks wait for the reader, without an unhandled rejection', async () => {
    const unseen = vi.fn();
    process.on('unhandledRejection', unseen);
    try {
      let sent = 0;
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull(controller) {
          sent += 1;
          if (sent > 2) throw new Error('the source failed');
          controller.enqueue(new Uint8Array(1_000_000));
        },
      });
      const { errors, log } = withLog();
      const response = await watchBody(errors, request, new Response(body));
      await later(20);
      expect(unseen).not.toHaveBeenCalled();
      await expect(response.arrayBuffer()).rejects.toThrow('The body broke off.');
      expect(log).toHaveLength(1);
    } finally {
      process.off('unhandledRejection', unseen);
    }
  });

  it('keeps a known length', async () => {
    const init = { headers: { 'content-length': '6' } };
    const response = await watchBody(withLog().errors, request, new Response(streamOf(['one', 'two']).body, init));
    expect(response.headers.get('content-length')).toBe('6');
    expect(await response.text()).toBe('onetwo');
  });

  it('of texts, which Bun allows, is passed on unchanged', async () => {
    const body = new ReadableStream({
      start(controller) {
        for (const chunk of ['one', 'two']) controller.enqueue(chunk);
        controller.close();
      },
    });
    const response = await watchBody(withLog().errors, request, new Response(body));
    const reader = response.body?.getReader();
    expect([await reader?.read(), await reader?.read()]).toMatchObject([{ value: 'one' }, { value: 'two' }]);
  });

  it('in memory is passed on unchanged', async () => {
    const response = await watchBody(withLog().errors, request, new Response('text', { status: 404 }));
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('text');
  });
});

describe('a response is passed on untouched', () => {
  const untouched = (response: Response, asked = request): Promise<boolean> =>
    watchBody(withLog().errors, asked, response).then((watched) => watched === response && !response.body?.locked);

  it('without a log function', async () => {
    const response = new Response(streamOf(['one']).body);
    expect(await watchBody(createPlatformErrors(), request, response)).toBe(response);
    expect(response.body?.locked).toBe(false);
  });

  it('without a body, failed, encoded, or of a HEAD', async () => {
    expect(await untouched(new Response(null))).toBe(true);
    expect(await untouched(Response.error())).toBe(true);
    expect(await untouched(new Response('x', { headers: { 'content-encoding': 'gzip' } }))).toBe(true);
    expect(await untouched(new Response('x'), new Request(request, { method: 'HEAD' }))).toBe(true);
  });

  it('with a web socket', async () => {
    expect(await untouched(Object.assign(new Response('x'), { webSocket: {} }))).toBe(true);
  });

  it('whose body is being read', async () => {
    const response = new Response('x');
    const reader = response.body?.getReader();
    expect(await watchBody(withLog().errors, request, response)).toBe(response);
    await reader?.cancel();
  });

  it('if it is undefined, as on Bun after an upgrade', async () => {
    expect(await watchBody(withLog().errors, request, undefined as never)).toBeUndefined();
  });

  it('of the Node server of Hono with a body in memory', async () => {
    const cache = Symbol('cache');
    const lazy = {
      [cache]: [200, 'text', {}],
      get headers(): never {
        throw new Error('looked at');
      },
    };
    expect(await watchBody(withLog().errors, request, lazy as never)).toBe(lazy);
  });
});
