import { describe, expect, it } from 'vitest';
import type { Fault, Mock, MockOptions, Seed } from '../../src/index.ts';
import { clockedMock, send, type Reply, type Sent } from '../store/clocked-mock.ts';
import { bare } from '../store/steps.ts';

const baseUrl = 'https://api.example.test';
const seed: Seed = {
  repos: { notes: { files: { 'a.txt': 'a\n' } }, frozen: { files: { 'a.txt': 'a\n' }, readOnly: true } },
  tags: [{ type: 'worker', id: 'w1', tags: { env: 'prod' } }],
};
const apiTokens = [
  { token: 'all', permissions: ['edit', 'tag.write'] as const },
  { token: 'reader', permissions: ['read', 'tag.read'] as const },
  { token: 'nothing', permissions: [] },
];

interface Told {
  readonly mock: Mock;
  /** Secrets of a write token and a read token. */
  readonly write: string;
  readonly read: string;
}

async function told(dialect: 'neutral' | 'cloudflare', more: Partial<MockOptions>): Promise<Told> {
  const mock = clockedMock({ baseUrl, seed, dialect, apiTokens, clock: { now: () => 1_800_000_000_000 }, ...more });
  return {
    mock,
    write: bare(await mock.store.createToken('notes')),
    read: bare(await mock.store.createToken('notes', { scope: 'read' })),
  };
}

/** Requests of each area that fail the checks before the rate, use the rate, or fail the checks after it. */
function requests({ mock, write, read }: Told): readonly (readonly [string, Sent])[] {
  const namespaces = `${mock.restUrl}/namespaces`;
  const tags = `${mock.accountUrl}/tags`;
  const remote = mock.store.remote('notes');
  const json = { 'content-type': 'application/json' };
  const rest = (method: string, url: string, token?: string, body?: string): Sent => ({
    method,
    url,
    headers: { ...json, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body }),
  });
  const git = (method: string, url: string, token?: string, type = 'application/x-git-receive-pack-request'): Sent => ({
    method,
    url,
    headers: { 'content-type': type, ...(token !== undefined && { authorization: `Basic ${btoa(`x:${token}`)}` }) },
    ...(method === 'POST' && { body: '0000' }),
  });
  return [
    ['REST, let in', rest('GET', namespaces, 'all')],
    ['REST, HEAD', rest('HEAD', namespaces, 'all')],
    ['REST, a write', rest('POST', namespaces, 'all', '{"namespace":"new"}')],
    ['REST, a body that is refused', rest('POST', namespaces, 'all', '{')],
    ['REST, a repo that is not there', rest('GET', `${namespaces}/default/repos/none`, 'all')],
    ['REST, without a token', rest('GET', namespaces)],
    ['REST, an unknown token', rest('GET', namespaces, 'unknown')],
    ['REST, without the permission', rest('POST', namespaces, 'reader', '{"namespace":"new"}')],
    ['REST, another method', rest('PUT', namespaces, 'all')],
    ['REST, no route', rest('GET', `${namespaces}/a/b/c`, 'all')],
    ['tags, let in', rest('GET', `${tags}/keys`, 'all')],
    ['tags, HEAD', rest('HEAD', `${tags}/keys`, 'all')],
    ['tags, a body that is refused', rest('PUT', tags, 'all', '[]')],
    ['tags, without a token', rest('GET', tags)],
    ['tags, without the permission', rest('PUT', tags, 'reader', '{}')],
    ['tags, with no permission', rest('GET', tags, 'nothing')],
    ['tags, another method', rest('POST', tags, 'all', '{}')],
    ['tags, no route', rest('GET', `${tags}/none`, 'all')],
    ['Git, discovery', git('GET', `${remote}/info/refs?service=git-upload-pack`, read)],
    ['Git, discovery by a bearer', rest('GET', `${remote}/info/refs?service=git-receive-pack`, write)],
    ['Git, a push', git('POST', `${remote}/git-receive-pack`, write)],
    ['Git, a push without the scope', git('POST', `${remote}/git-receive-pack`, read)],
    ['Git, a push of another type', git('POST', `${remote}/git-receive-pack`, write, 'text/plain')],
    ['Git, without a token', git('GET', `${remote}/info/refs?service=git-upload-pack`)],
    ['Git, an unknown token', git('GET', `${remote}/info/refs?service=git-upload-pack`, 'unknown')],
    ['Git, a preflight', { method: 'OPTIONS', url: `${remote}/info/refs`, headers: { origin: 'https://x.example' } }],
    ['Git, no service', git('GET', `${remote}/info/refs`, read)],
    ['Git, no remote', git('GET', `${remote}/none`, read)],
    ['elsewhere', rest('GET', `${baseUrl}/cdn-cgi/none`)],
  ];
}

/** Request ids are counted, and the two sides have had different numbers of requests. */
const numberless = ({ headers, ...reply }: Reply): unknown => ({
  ...reply,
  headers: headers.filter((line) => !/^(?:x-ray-id|cf-ray):/.test(line)),
});

describe.each(['neutral', 'cloudflare'] as const)('faults of the service, %s', (dialect) => {
  it('LIM-001, LIM-053, TAG-144, GIT-008: a rate limit looks like a rate that is used up', async () => {
    const rate = { requests: 1, seconds: 77 };
    const real = await told(dialect, { settings: { rate_rest: rate, rate_git: rate, rate_tags: rate } });
    // Each area counts separately, and allows the first request.
    const ask = { method: 'GET', headers: { authorization: 'Bearer all' } };
    const { accountUrl, restUrl } = real.mock;
    const repo = requests(real).find(([name]) => name === 'Git, discovery') as readonly [string, Sent];
    for (const url of [`${restUrl}/namespaces`, `${restUrl}/namespaces/default/repos`, `${accountUrl}/tags/keys`]) {
      expect(await send(real.mock.handlers, { ...ask, url })).toMatchObject({ status: 200 });
    }
    expect(await send(real.mock.handlers, { ...ask, url: `${restUrl}/namespaces/a` })).toMatchObject({ status: 404 });
    expect(await send(real.mock.handlers, repo[1])).toMatchObject({ status: 200 });
    // The text of Git names the limit.
    const settings = { rate_git: rate };
    const faulty = await told(dialect, { settings, faults: [{ kind: 'rate limit', retryAfter: 77 }] });
    const statuses = new Set<unknown>();
    for (const [number, [name, sent]] of requests(real).entries()) {
      const mine = await send(faulty.mock.handlers, requests(faulty)[number]?.[1] as Sent);
      const theirs = await send(real.mock.handlers, sent);
      statuses.add(mine.status);
      expect([name, numberless(mine)]).toEqual([name, numberless(theirs)]);
    }
    expect([...statuses].toSorted()).toEqual([401, 403, 404, 405, 429]);
    expect(await faulty.mock.store.inspect.namespaces()).toHaveLength(1);
  });

  it('a rate fault uses up no rate', async () => {
    const settings = { rate_rest: { requests: 1, seconds: 77 }, rate_tags: { requests: 1, seconds: 77 } };
    const { mock } = await told(dialect, { settings, faults: [{ kind: 'rate limit', retryAfter: 3, times: 6 }] });
    const headers = { authorization: 'Bearer all' };
    for (const url of [`${mock.restUrl}/namespaces`, `${mock.accountUrl}/tags/keys`]) {
      for (let time = 0; time < 3; time++) {
        expect(await send(mock.handlers, { method: 'GET', url, headers })).toMatchObject({ status: 429 });
      }
    }
    expect(await send(mock.handlers, { method: 'GET', url: `${mock.restUrl}/namespaces`, headers })).toMatchObject({
      status: 200,
    });
  });

  it('REPO-031: an expired token looks like one that has really expired', async () => {
    let now = 1_800_000_000_000;
    const options = { baseUrl, seed, dialect, clock: { now: () => now } };
    const real = clockedMock({ ...options, apiTokens: [{ token: 'other', permissions: [] }] });
    const faulty = clockedMock({ ...options, apiTokens, faults: [{ kind: 'expired token' }] });
    const tokens = [real, faulty].map(async ({ store }) => bare(await store.createToken('notes', { ttl: 60 })));
    const [gone = '', alive = ''] = await Promise.all(tokens);
    const asked = async (mock: Mock, secret: string): Promise<readonly unknown[]> => {
      const replies: unknown[] = [];
      for (const [name, sent] of requests({ mock, write: secret, read: secret })) {
        // A credential that is not a repository token cannot expire (GIT-185).
        const isApart = name === 'Git, a push without the scope' || name === 'Git, an unknown token';
        if (!isApart) replies.push([name, numberless(await send(mock.handlers, sent))]);
      }
      return replies;
    };
    const mine = await asked(faulty, alive);
    now += 61_000;
    expect(mine).toEqual(await asked(real, gone));
  });

  it('ERR-092: a platform error looks like that of the error route, in each format', async () => {
    const { mock } = await told(dialect, {
      settings: { site: 'ABC', docs_base: 'https://docs.example.test', trust_ray_header: true },
    });
    const rayHeader = dialect === 'neutral' ? 'x-ray-id' : 'cf-ray';
    const { catalogue } = (await import('@packhouse/problem-details')).createPlatformErrors();
    const accepts = [
      'application/problem+json',
      'application/json',
      'text/markdown',
      'text/html',
      'text/plain',
      '*/*',
      'image/png',
    ];
    for (const { code } of catalogue.entries) {
      for (const accept of code % 7 === 0 ? accepts : accepts.slice(0, 1)) {
        for (const method of ['GET', 'HEAD']) {
          const path = `/cdn-cgi/error/${code}`;
          const headers = { accept, [rayHeader]: '5e1f0a3b4c5d6e7f-ABC' };
          const theirs = await send(mock.handlers, { method, url: `${baseUrl}${path}`, headers });
          const fault: Fault<Seed> = { kind: 'platform error', code, times: 1 };
          mock.faults.add(fault);
          const mine = await send(mock.handlers, { method, url: `${baseUrl}${path}`, headers });
          expect([code, accept, method, mine]).toEqual([code, accept, method, theirs]);
        }
      }
    }
    mock.faults.add({ kind: 'platform error', code: 1015, retryAfter: 33, times: 1 });
    const wait = await send(mock.handlers, {
      method: 'POST',
      url: `${mock.restUrl}/namespaces`,
      headers: { accept: 'application/json' },
    });
    expect(wait.headers).toContain('retry-after: 33');
    expect(JSON.parse(wait.text)).toMatchObject({ error_code: 1015, retry_after: 33 });
  });

  it('ERR-099: a rate limit at the error route is error 1015', async () => {
    const { mock } = await told(dialect, { faults: [{ kind: 'rate limit', retryAfter: 44 }] });
    const headers = { accept: 'application/json' };
    const limited = await send(mock.handlers, { method: 'GET', url: `${baseUrl}/cdn-cgi/error/522`, headers });
    mock.faults.clear();
    mock.faults.add({ kind: 'platform error', code: 1015, retryAfter: 44 });
    const shown = await send(mock.handlers, { method: 'GET', url: `${baseUrl}/cdn-cgi/error/522`, headers });
    expect(numberless(limited)).toEqual(numberless(shown));
    expect(limited.status).toBe(429);
    const off = await told(dialect, {
      settings: { error_route: false },
      faults: [{ kind: 'rate limit', retryAfter: 4 }],
    });
    expect(
      await send(off.mock.handlers, { method: 'GET', url: `${baseUrl}/cdn-cgi/error/522`, headers }),
    ).toMatchObject({ status: 404 });
  });
});
