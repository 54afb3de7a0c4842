import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createErrorsMock } from './errors.ts';
import { createMock } from './index.ts';
import { createTaggingMock, SeedError } from './tagging.ts';

const headers = { authorization: 'Bearer any', accept: 'application/json' };

describe.each(['neutral', 'cloudflare'] as const)('tagging alone, %s', (dialect) => {
  const baseUrl = 'https://tags.example.test';
  const seed = { tags: [{ type: 'worker', id: 'w1', tags: { env: 'prod' } }] };
  const mock = createTaggingMock({ baseUrl, dialect, zones: ['z1'], seed });
  const server = setupServer(
    ...mock.handlers,
    http.all(`${baseUrl}/*`, () => HttpResponse.text('elsewhere')),
  );
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  afterAll(() => server.close());
  afterEach(() => mock.store.reset());

  const keys = async (authorization?: string): Promise<Response> =>
    await fetch(`${mock.accountUrl}/tags/keys`, { headers: authorization === undefined ? headers : { authorization } });

  it('TAG-001: answers as the whole mock does', async () => {
    const whole = createMock({ baseUrl: 'https://api.example.test', dialect, zones: ['z1'], seed });
    server.use(...whole.handlers);
    const base = new URL(whole.accountUrl);
    const paths = ['keys', 'values/env', 'summary', 'resources', 'nothing', 'resources?limit=0'];
    for (const path of [...paths.map((one) => `/${one}`), '?resource_type=worker&resource_id=w1', '?resource_type=x']) {
      const [mine, theirs] = await Promise.all([
        fetch(`${mock.accountUrl}/tags${path}`, { headers }),
        fetch(`${mock.accountUrl.replace(baseUrl, base.origin)}/tags${path}`, { headers }),
      ]);
      const timeless = async (response: Response): Promise<string> =>
        (await response.text()).replaceAll(/"tags_updated_at":"[^"]*"/g, '').replace(base.origin, baseUrl);
      expect([path, mine.status, await timeless(mine)]).toEqual([path, theirs.status, await timeless(theirs)]);
      expect([...mine.headers.keys()]).toEqual([...theirs.headers.keys()]);
    }
    server.resetHandlers();
  });

  it('a URL member with one name means the same in both mocks', () => {
    const { accountUrl, restUrl } = createMock({ baseUrl, dialect, account: 'a1' });
    expect(createTaggingMock({ baseUrl, dialect, account: 'a1' }).accountUrl).toBe(accountUrl);
    const [base, service] = { neutral: ['v4', 'repos'], cloudflare: ['client/v4', 'artifacts'] }[dialect];
    expect([accountUrl, restUrl]).toEqual([
      `${baseUrl}/${base}/accounts/a1`,
      `${baseUrl}/${base}/accounts/a1/${service}`,
    ]);
  });

  it('passes all other paths to other handlers', async () => {
    const path = mock.accountUrl.slice(baseUrl.length);
    for (const other of ['/', path, `${path}/repos/namespaces`, `${path}/tagsx`, '/cdn-cgi/error/522']) {
      expect([other, await (await fetch(`${baseUrl}${other}`)).text()]).toEqual([other, 'elsewhere']);
    }
  });

  it('TAG-016, TAG-144: supports faults', async () => {
    mock.faults.add(
      { kind: 'rate limit', retryAfter: 9, times: 1 },
      { kind: 'expired token', times: 1 },
      { kind: 'platform error', code: 521, times: 1 },
      { kind: 'changed page', add: { tags: [{ type: 'worker', id: 'w2', tags: { team: 'x' } }] }, times: 1 },
    );
    const limited = await keys();
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '9']);
    expect([(await keys()).status, (await keys()).status]).toEqual([401, 521]);
    const pages = [await keys(), await keys()].map(async (page) => (await page.json()).result);
    expect(await Promise.all(pages)).toEqual([['env'], ['env', 'team']]);
  });

  it('reset and seed', async () => {
    await mock.store.seed({ tags: [{ type: 'dns_record', id: 'd1', zone: 'z1', tags: { a: 'b' } }] });
    expect((await mock.store.inspect.tags()).map(({ resource }) => resource.id)).toEqual(['d1', 'w1']);
    await expect(mock.store.seed({ tags: [{ type: 'none', id: 'x', tags: {} }] })).rejects.toThrow(SeedError);
    await mock.store.reset();
    expect((await mock.store.inspect.tags()).map(({ resource }) => resource.id)).toEqual(['w1']);
  });
});

describe('platform errors alone', () => {
  const baseUrl = 'https://www.example.test';
  const mock = createErrorsMock({ baseUrl, faults: [{ kind: 'platform error', code: 1020, path: '/shop/*' }] });
  const server = setupServer(
    ...mock.handlers,
    http.post(`${baseUrl}/echo`, async ({ request }) => HttpResponse.text(await request.text())),
    http.all(`${baseUrl}/*`, () => HttpResponse.text('the site')),
  );
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  afterAll(() => server.close());
  afterEach(() => mock.reset());

  it('ERR-092: answers the error route and requests that faults match, and leaves the rest to the site', async () => {
    const ask = async (path: string): Promise<readonly unknown[]> => {
      const response = await fetch(`${baseUrl}${path}`, { headers: { accept: 'application/json' } });
      const text = await response.text();
      return [response.status, text.startsWith('{') ? (JSON.parse(text) as { error_code: number }).error_code : text];
    };
    expect(await ask('/cdn-cgi/error/522')).toEqual([522, 522]);
    expect(await ask('/')).toEqual([200, 'the site']);
    expect(await (await fetch(`${baseUrl}/echo`, { method: 'POST', body: 'sent' })).text()).toBe('sent');
    expect(await ask('/shop/cart')).toEqual([403, 1020]);
    mock.faults.clear();
    expect(await ask('/shop/cart')).toEqual([200, 'the site']);
    mock.faults.add({ kind: 'rate limit', retryAfter: 30, times: 1 });
    expect(await ask('/')).toEqual([429, 1015]);
    mock.reset();
    expect(mock.faults.current).toHaveLength(1);
  });
});

describe('an area of the whole mock', () => {
  const mock = createMock({ baseUrl: 'https://api.example.test', seed: { repos: { notes: {} } } });
  const urls = {
    rest: `${mock.restUrl}/namespaces`,
    tagging: 'https://api.example.test/v4/accounts/local/tags/keys',
    errors: 'https://api.example.test/cdn-cgi/error/522',
    git: `${mock.store.remote('notes')}/info/refs?service=git-upload-pack`,
  } as const;
  const areas = Object.keys(urls) as (keyof typeof urls)[];

  it.each(areas)('%s handles only its own paths', async (area) => {
    for (const other of areas) {
      const [handler] = mock[area];
      const result = await handler?.run({ request: new Request(urls[other], { headers }), requestId: '1' });
      expect([other, result?.response !== undefined]).toEqual([other, other === area]);
    }
  });
});
