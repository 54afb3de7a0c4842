import * as git from 'isomorphic-git';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { cloneOf } from '../browser/clone-of.ts';
import { createMock, type Fault, type Seed } from '../../src/index.ts';
import { send } from '../store/clocked-mock.ts';

const mock = createMock({ baseUrl: 'https://api.example.test', seed: { repos: { notes: { files: { a: 'a\n' } } } } });
const url = `${mock.restUrl}/namespaces`;
const { pathname } = new URL(url);
const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
const create = (namespace: string): RequestInit => ({ method: 'POST', headers, body: JSON.stringify({ namespace }) });
const names = async (): Promise<readonly string[]> =>
  (await mock.store.inspect.namespaces()).map(({ namespace }) => namespace);
afterEach(() => mock.store.reset());

/** Returns the outcomes of successive requests: statuses, or other results. */
async function outcomes(count: number, method = 'GET', path: string = pathname): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (let number = 0; number < count; number++) {
    const sent = { method, url: new URL(path, url).href, headers, ...(method === 'POST' && { body: '{}' }) };
    all.push((await send(mock.handlers, sent)).status);
  }
  return all;
}

describe('the faults that apply to a request', () => {
  const limit = (more: object = {}): Fault<Seed> => ({ kind: 'rate limit', retryAfter: 1, ...more });
  const error = (more: object = {}): Fault<Seed> => ({ kind: 'platform error', code: 521, ...more });
  const dropped = (more: object = {}): Fault<Seed> => ({ kind: 'dropped connection', ...more });

  it.each<[string, readonly Fault<Seed>[], readonly unknown[]]>([
    ['the first that ends it, the others later', [limit({ times: 1 }), error({ times: 2 })], [429, 521, 521, 200]],
    ['the same the other way round', [error({ times: 2 }), limit({ times: 1 })], [521, 521, 429, 200]],
    ['one without times for ever', [error(), limit({ times: 1 })], [521, 521, 521, 521]],
    ['none of another method', [error({ method: 'POST' }), limit({ method: 'get', times: 1 })], [429, 200, 200, 200]],
    [
      'none of another path',
      [error({ path: `${pathname}/` }), limit({ path: pathname, times: 1 })],
      [429, 200, 200, 200],
    ],
    ['one of a longer path', [error({ path: `${pathname.slice(0, -3)}*`, times: 1 })], [521, 200, 200, 200]],
    ['one of the whole path and more', [error({ path: `${pathname}*`, times: 1 })], [521, 200, 200, 200]],
    ['none of a path that goes on', [error({ path: `${pathname}/*` })], [200, 200, 200, 200]],
    ['one of what ends so', [error({ path: '*/namespaces', times: 1 })], [521, 200, 200, 200]],
    ['none of what ends so', [error({ path: '*/namespace' })], [200, 200, 200, 200]],
    ['one of what goes through there', [error({ path: '/v4/*/repos/*', times: 1 })], [521, 200, 200, 200]],
    ['one of all paths', [error({ path: '*', times: 1 })], [521, 200, 200, 200]],
    [
      'a lost reply once',
      [dropped({ lost: 'reply', times: 1 }), dropped({ times: 1 })],
      ['dropped', 'dropped', 200, 200],
    ],
  ])('%s', async (_, faults, expected) => {
    mock.faults.add(...faults);
    expect(await outcomes(4)).toEqual(expected);
  });

  it('counts each once per request, also for concurrent requests', async () => {
    mock.faults.add({ kind: 'latency', milliseconds: 1, times: 3 }, error({ times: 2 }), limit({ times: 1 }));
    const statuses = (await Promise.all([outcomes(1), outcomes(1), outcomes(1), outcomes(1)])).flat();
    expect([...statuses].toSorted()).toEqual([200, 429, 521, 521]);
    expect(mock.faults.current).toEqual([]);
  });

  it('counts no token fault for requests without a token, or with another one', async () => {
    mock.faults.add({ kind: 'expired token', token: 'old', times: 2 });
    const ask = async (authorization?: string): Promise<unknown> =>
      (
        await send(mock.handlers, {
          method: 'GET',
          url,
          ...(authorization !== undefined && { headers: { authorization } }),
        })
      ).status;
    expect([await ask(), await ask('Bearer new'), await ask('Bearer old'), await ask('bearer  old ')]).toEqual([
      401, 200, 401, 401,
    ]);
    expect([await ask('Bearer old'), mock.faults.current]).toEqual([200, []]);
    mock.faults.add(limit({ times: 1 }));
    expect([await ask(), await ask('Bearer new'), await ask('Bearer new')]).toEqual([401, 429, 200]);
  });

  it('a page changes once, and only after a reply that no other fault has changed', async () => {
    mock.faults.add(
      { kind: 'changed page', add: { namespaces: ['added'] }, times: undefined } as unknown as Fault<Seed>,
      limit({ times: 1 }),
      error({ times: 1 }),
      dropped({ times: 1 }),
      dropped({ lost: 'reply', times: 1 }),
    );
    const seen: unknown[] = [];
    for (let number = 0; number < 5; number++) seen.push([...(await outcomes(1)), (await names()).includes('added')]);
    expect(seen).toEqual([
      [429, false],
      [521, false],
      ['dropped', false],
      ['dropped', true],
      [200, true],
    ]);
    expect(mock.faults.current).toEqual([]);
  });

  it('reports an impossible change to the request that it follows', async () => {
    mock.faults.add(
      { kind: 'changed page', remove: ['none'] },
      { kind: 'changed page', add: { repos: { notes: {} } } },
    );
    const reply = await send(mock.handlers, { method: 'GET', url, headers });
    expect(reply).toMatchObject({ status: 'failed', text: 'Error: Repository not found: "none"' });
  });

  it('methods that change faults need no receiver', async () => {
    const { add, clear } = mock.faults;
    add(error(), limit());
    expect(mock.faults.current).toHaveLength(2);
    clear();
    expect(await outcomes(1)).toEqual([200]);
  });

  it('a fault object may be used again', async () => {
    const fault: Fault<Seed> = Object.freeze({ kind: 'platform error', code: 521, times: 1 } as const);
    mock.faults.add(fault, fault);
    expect(await outcomes(3)).toEqual([521, 521, 200]);
    expect(fault.times).toBe(1);
  });
});

describe('a latency', () => {
  afterEach(() => void vi.useRealTimers());
  const pending = Symbol('pending');
  const state = async (running: Promise<unknown>): Promise<unknown> => {
    await vi.advanceTimersByTimeAsync(0);
    return await Promise.race([running, Promise.resolve(pending)]);
  };

  it('delays the request before the service receives it; several add up', async () => {
    await mock.store.ready();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    mock.faults.add({ kind: 'latency', milliseconds: 10 }, { kind: 'latency', milliseconds: 20, times: 1 });
    const running = send(mock.handlers, { ...create('slow'), url } as Parameters<typeof send>[1]);
    expect(await state(running)).toBe(pending);
    await vi.advanceTimersByTimeAsync(29);
    expect([await state(running), (await names()).includes('slow')]).toEqual([pending, false]);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    expect(await running).toMatchObject({ status: 201 });
  });

  it('ends when faults are removed, and the service then receives the request', async () => {
    mock.faults.add({ kind: 'latency', milliseconds: 2_000_000_000 });
    const running = send(mock.handlers, { ...create('slow'), url } as Parameters<typeof send>[1]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await names()).not.toContain('slow');
    mock.faults.clear();
    expect(await running).toMatchObject({ status: 201 });
    expect(await names()).toContain('slow');
    mock.faults.add({ kind: 'latency', milliseconds: 2_000_000_000 });
    const next = send(mock.handlers, { method: 'GET', url, headers });
    expect(await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 5, pending))])).toBe(pending);
    mock.faults.clear();
    expect(await next).toMatchObject({ status: 200 });
  });
});

describe('behind fetch', () => {
  const server = setupServer(...mock.handlers);
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  afterAll(() => server.close());

  it('an aborted request ends at once, leaves no timer, and never reaches the service', async () => {
    const milliseconds = 2_000_000_000;
    mock.faults.add({ kind: 'latency', milliseconds, times: 1 });
    const [set, clear] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    const left = new AbortController();
    const running = fetch(url, { ...create('left'), signal: left.signal });
    await expect.poll(() => mock.faults.current).toEqual([]);
    const timer: unknown = set.mock.results[set.mock.calls.findIndex(([, delay]) => delay === milliseconds)]?.value;
    left.abort();
    await expect(running).rejects.toThrow('abort');
    await expect.poll(() => clear).toHaveBeenCalledWith(timer);
    expect(timer).toBeDefined();
    vi.restoreAllMocks();
    expect(await names()).not.toContain('left');
  });

  it('a dropped connection is a network error, before or after the service handles the request', async () => {
    mock.faults.add(
      { kind: 'dropped connection', method: 'POST', times: 1 },
      { kind: 'dropped connection', method: 'POST', lost: 'reply', times: 1 },
    );
    await expect(fetch(url, create('first'))).rejects.toThrow(TypeError);
    await expect(fetch(url, create('second'))).rejects.toThrow(TypeError);
    expect(await names()).toEqual(expect.arrayContaining(['second']));
    expect(await names()).not.toContain('first');
  });

  it('isomorphic-git sees a network error, a rate limit and a platform error, and a push with a lost reply succeeds', async () => {
    const remote = await cloneOf(mock, 'notes');
    const { fs, dir } = remote;
    mock.faults.add({ kind: 'dropped connection', times: 1 });
    await expect(git.clone(remote)).rejects.toThrow('fetch failed');
    mock.faults.add({ kind: 'rate limit', retryAfter: 3, times: 1 });
    await expect(git.clone(remote)).rejects.toMatchObject({ data: { statusCode: 429 } });
    mock.faults.add({ kind: 'platform error', code: 522, times: 1 });
    await expect(git.clone(remote)).rejects.toMatchObject({ data: { statusCode: 522 } });
    await git.clone(remote);
    const oid = await git.commit({ fs, dir, message: 'More', author: { name: 'Ada', email: 'ada@example.com' } });
    mock.faults.add({ kind: 'dropped connection', lost: 'reply', method: 'POST', times: 1 });
    await expect(git.push(remote)).rejects.toThrow('fetch failed');
    expect((await mock.store.inspect.refs('notes'))['refs/heads/main']).toBe(oid);
  });
});
