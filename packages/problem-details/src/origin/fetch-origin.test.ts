import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isThrownPlatformError, PlatformError } from '../thrown/platform-error.ts';
import { fetchOrigin } from './fetch-origin.ts';

type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

const url = 'https://origin.example/path';
const codeOf = async (reply: Promise<Response>): Promise<number> => {
  const thrown: unknown = await reply.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isThrownPlatformError(thrown)) throw new Error('no platform error was thrown', { cause: thrown });
  return thrown.code;
};
const failing =
  (reason: unknown): Fetch =>
  () =>
    Promise.reject(reason as Error);

/** Never resolves, but reacts to its signal. */
const silent: Fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
  });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the time limits of fetchOrigin', () => {
  /** Returns the seconds after which it gives up, and the code. */
  const giveUp = async (options: Parameters<typeof fetchOrigin>[2], init: RequestInit = {}): Promise<number[]> => {
    const from = Date.now();
    const code = codeOf(fetchOrigin(url, init, options));
    await vi.runOnlyPendingTimersAsync();
    return [(Date.now() - from) / 1000, await code];
  };

  it('ERR-136 ERR-158 ERR-159: waits 15 s for a connection and 120 s for headers, and on Node knows which one timed out', async () => {
    vi.stubGlobal('fetch', silent);
    expect(await giveUp({})).toEqual([135, 524]);
    expect(await giveUp({ connectTimeout: 2, readTimeout: 8 })).toEqual([10, 524]);
    expect(await giveUp({ connectTimeout: 2, readTimeout: 7 })).toEqual([9, 502]);
  });

  it('ERR-140: does not guess the cause if it cannot know it', async () => {
    expect(await giveUp({ fetch: silent })).toEqual([135, 502]);
    expect(await giveUp({ fetch: silent, connectsWithin: 136 })).toEqual([135, 502]);
    vi.stubGlobal('navigator', { userAgent: 'Deno/2.9.6' });
    vi.stubGlobal('fetch', silent);
    expect(await giveUp({})).toEqual([135, 502]);
  });

  it('ERR-136: uses the given connectsWithin', async () => {
    expect(await giveUp({ fetch: silent, connectsWithin: 15 })).toEqual([135, 524]);
  });

  it('ERR-134: reports that the given fetch failed to connect', async () => {
    const cause = Object.assign(new Error('Connect Timeout Error'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
    expect(await codeOf(fetchOrigin(url, {}, { fetch: failing(new TypeError('fetch failed', { cause })) }))).toBe(522);
  });

  it('aborts the request, and drops a late reply', async () => {
    let signal: AbortSignal | null | undefined;
    let answer: (response: Response) => void = () => undefined;
    const deaf: Fetch = (_, init) => {
      signal = init?.signal;
      return new Promise((resolve) => (answer = resolve));
    };
    expect(await giveUp({ fetch: deaf })).toEqual([135, 502]);
    expect(signal?.aborted).toBe(true);
    const cancel = vi.fn();
    answer(new Response(new ReadableStream({ cancel })));
    await vi.runAllTimersAsync();
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('clears its timer, and does not limit the body', async () => {
    await fetchOrigin(url, {}, { fetch: () => Promise.resolve(new Response('ok')) });
    expect(vi.getTimerCount()).toBe(0);
    await codeOf(fetchOrigin(url, {}, { fetch: failing(new Error('no')) }));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('accepts Infinity, and refuses invalid times', async () => {
    const reply = fetchOrigin(url, {}, { fetch: silent, readTimeout: Infinity });
    const ended = vi.fn();
    reply.catch(ended);
    await vi.advanceTimersByTimeAsync(86_400_000);
    expect(ended).not.toHaveBeenCalled();
    for (const seconds of [-1, Number.NaN]) {
      await expect(fetchOrigin(url, {}, { fetch: silent, readTimeout: seconds })).rejects.toThrow(RangeError);
    }
  });
});

describe('the request of fetchOrigin', () => {
  const asked = async (
    ...[input, init]: Parameters<typeof fetchOrigin>
  ): Promise<[Request, RequestInit | undefined]> => {
    let seen: [Request, RequestInit | undefined] | undefined;
    const fetch: Fetch = (request, given) => {
      seen = [request, given];
      return Promise.resolve(new Response('ok'));
    };
    await fetchOrigin(input, init, { fetch });
    if (seen === undefined) throw new Error('nothing was asked');
    return seen;
  };

  it('is unchanged except for redirects', async () => {
    const headers = { 'X-More': 'yes' };
    const given = new Request(url, { method: 'POST', headers, body: 'body', redirect: 'follow' });
    const [request, init] = await asked(given);
    expect([request.url, request.method, request.headers.get('x-more')]).toEqual([url, 'POST', 'yes']);
    expect([request.redirect, init?.redirect]).toEqual(['manual', 'manual']);
    expect(await request.text()).toBe('body');
  });

  it('lets init change the request, and passes on members of the runtime', async () => {
    const dispatcher = { a: 1 };
    const more = { method: 'PUT', body: 'new', redirect: 'follow', dispatcher } as const;
    const [request, init] = await asked(new Request(url, { method: 'POST', body: 'old' }), more);
    expect([request.method, await request.text(), request.redirect]).toEqual(['PUT', 'new', 'manual']);
    expect(init).toEqual({ dispatcher, redirect: 'manual', signal: expect.any(AbortSignal) as AbortSignal });
  });

  it.each([
    ['Node.js/24', 'identity'],
    ['Bun/1.4.5', 'identity'],
    [undefined, 'identity'],
    ['Deno/2.9.6', 'gzip'],
    ['Cloudflare-Workers', 'gzip'],
  ])('on %s is a body of coding %s, where the client takes gzip', async (userAgent, coding) => {
    vi.stubGlobal('navigator', { userAgent });
    const [request] = await asked(new Request(url, { headers: { 'Accept-Encoding': 'gzip' } }));
    expect(request.headers.get('accept-encoding')).toBe(coding);
  });

  it('accepts a request as init, like fetch', async () => {
    const given = new Request('https://shop.example/', { method: 'PUT', headers: { 'X-More': 'yes' }, body: 'body' });
    const [request] = await asked(url, given);
    expect([request.url, request.method, request.headers.get('x-more')]).toEqual([url, 'PUT', 'yes']);
    expect(await request.text()).toBe('body');
  });

  it('accepts a request of another realm, like fetch', async () => {
    /** Has its members from its class, as every request, but not from the `Request` that is known here. */
    class Foreign {
      get method(): string {
        return 'PUT';
      }
      get headers(): Headers {
        return new Headers({ 'X-More': 'yes' });
      }
      get body(): string {
        return 'body';
      }
      clone(): Foreign {
        return this;
      }
    }
    const [request] = await asked(url, new Foreign());
    expect([request.method, request.headers.get('x-more'), await request.text()]).toEqual(['PUT', 'yes', 'body']);
  });

  it('streams the body of a request', async () => {
    const pull = vi.fn((controller: ReadableStreamDefaultController<Uint8Array>) => {
      controller.enqueue(new TextEncoder().encode('part'));
      controller.close();
    });
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const [request] = await asked(url, { method: 'POST', body });
    expect(pull).not.toHaveBeenCalled();
    expect(await request.text()).toBe('part');
  });

  it('must be valid', async () => {
    await expect(asked('/path')).rejects.toThrow(TypeError);
    await expect(asked(url, { body: 'with GET' })).rejects.toThrow(TypeError);
    const read = new Request(url, { method: 'POST', body: 'body' });
    await read.text();
    await expect(asked(read)).rejects.toThrow(TypeError);
  });
});

describe('the result of fetchOrigin', () => {
  it('ERR-120: is the response itself, with its body unread', async () => {
    const response = new Response('its own', { status: 522 });
    const given = await fetchOrigin(url, {}, { fetch: () => Promise.resolve(response) });
    expect(given).toBe(response);
    expect(given.bodyUsed).toBe(false);
  });

  it('ERR-139: is the failure with its cause', async () => {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    await expect(fetchOrigin(url, {}, { fetch: failing(cause) })).rejects.toMatchObject({ code: 520, cause });
    const throwing = (): never => {
      throw cause;
    };
    await expect(fetchOrigin(url, {}, { fetch: throwing })).rejects.toMatchObject({ code: 520, cause });
  });

  it('is a platform error that the given fetch threw, unchanged', async () => {
    const thrown = new PlatformError(1015, { retryAfter: 3 });
    await expect(fetchOrigin(url, {}, { fetch: failing(thrown) })).rejects.toBe(thrown);
  });

  it.each(['the request', 'init'])('is the unchanged abort error of the client by the signal of %s', async (where) => {
    const client = new AbortController();
    const { signal } = client;
    const reply =
      where === 'init'
        ? fetchOrigin(url, { signal }, { fetch: silent })
        : fetchOrigin(new Request(url, { signal }), {}, { fetch: silent });
    const reason = new Error('the client has gone');
    client.abort(reason);
    await expect(reply).rejects.toBe(reason);
  });

  it('ERR-140: is an ordinary failure if fetch aborts but the client did not', async () => {
    const { signal } = new AbortController();
    const cause = new DOMException('stopped', 'AbortError');
    await expect(fetchOrigin(url, { signal }, { fetch: failing(cause) })).rejects.toMatchObject({ code: 502, cause });
  });
});
