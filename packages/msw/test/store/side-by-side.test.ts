import { fc, test } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTaggingMock } from '../../src/tagging.ts';
import { clockedMock, send } from './clocked-mock.ts';
import { held, seen } from './seen.ts';
import { anyStep, restRequest, take } from './steps.ts';

const seed = {
  repos: { notes: { files: { 'a.txt': 'a\n' } } },
  tags: [{ type: 'worker', id: 'w1', tags: { a: 'b' } }],
};
const clock = { now: () => Date.UTC(2026, 0, 1) };
const quiet = { baseUrl: 'https://api.example.test', seed, clock };

const neighbours = {
  'another port': { baseUrl: 'https://api.example.test:8443' },
  'another host': { baseUrl: 'https://other.example.test' },
  'another dialect': { baseUrl: 'https://cf.example.test', dialect: 'cloudflare' as const },
  'another account': { baseUrl: 'https://a1.example.test', account: 'a1' },
  'the same origin, with handlers of its own': { baseUrl: 'https://api.example.test' },
};

describe('two mocks', () => {
  it.each(Object.keys(neighbours))('with %s ignore requests to each other', async (how) => {
    const other = clockedMock({ ...neighbours[how as keyof typeof neighbours], seed, clock });
    const { origin } = new URL(other.restUrl);
    const mock = clockedMock(quiet);
    const sent = restRequest(origin, 'GET', '/v4/accounts/local/repos/namespaces');
    const { status } = await send(mock.handlers, sent);
    expect(status === 'no handler').toBe(origin !== quiet.baseUrl);
  });

  test.prop([fc.array(anyStep, { minLength: 1, maxLength: 8 }), fc.constantFrom(...Object.values(neighbours))], {
    numRuns: runs(30),
  })('nothing that is done to one changes the other', async (steps, options) => {
    const mock = clockedMock(quiet);
    const other = clockedMock({ ...options, seed, clock });
    const before = await held(mock);
    const stage = { mock: other, time: { now: 0 }, tokens: [] };
    for (const step of steps) await take(stage, step);
    expect(await held(mock)).toEqual(before);
    expect(await seen(mock)).toEqual(await seen(clockedMock(quiet)));
  });
});

describe('two mocks behind one server of MSW', () => {
  const mock = clockedMock(quiet);
  const other = clockedMock({ ...neighbours['another dialect'], seed, clock });
  const tags = createTaggingMock({ baseUrl: 'https://tags.example.test', clock });
  const server = setupServer(
    ...mock.handlers,
    http.put('https://tags.example.test/*', () => new HttpResponse(null, { status: 418 })),
  );
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  afterAll(() => server.close());
  const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
  const put = async (origin: string): Promise<number> => {
    const body = JSON.stringify({ resource_type: 'worker', resource_id: 'w2', tags: { c: 'd' } });
    return (await fetch(`${origin}/v4/accounts/local/tags`, { method: 'PUT', headers, body })).status;
  };

  it('server.use and server.resetHandlers do not affect the content of a mock', async () => {
    server.use(...tags.handlers, ...other.handlers);
    expect(await put('https://api.example.test')).toBe(200);
    expect(await put('https://tags.example.test')).toBe(200);
    mock.faults.add({ kind: 'rate limit', retryAfter: 3, path: '/v4/never' });
    server.resetHandlers();
    expect(await put('https://tags.example.test')).toBe(418);
    expect(await tags.store.inspect.tags()).toHaveLength(1);
    expect((await mock.store.inspect.tags()).map(({ resource }) => resource.id)).toEqual(['w1', 'w2']);
    expect(mock.faults.current).toHaveLength(1);
    server.use(...tags.handlers);
    await tags.store.reset();
    expect(await put('https://tags.example.test')).toBe(200);
    await mock.store.reset();
    expect(await held(mock)).toEqual(await held(clockedMock(quiet)));
  });
});
