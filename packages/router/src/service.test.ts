import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { cloudflare, createHosting, neutral } from '@packhouse/hosting';
import { memoryCatalogs, memoryRepos } from '@packhouse/storage';
import { describe, expect, it } from 'vitest';
import { isIncident } from './platform-errors.ts';
import { createService } from './service.ts';
import { testService } from './test-service.test.util.ts';

describe.each([neutral, cloudflare])('one origin, $name', (dialect) => {
  it('REPO-029: each path goes to the area that owns it', async () => {
    const { send } = testService({ dialect });
    expect(await (await send('/git/a1/n/R.x.git/info/refs?service=git-upload-pack')).json()).toEqual({
      account: 'a1',
      namespace: 'n',
      repo: 'R.x',
      path: '/info/refs',
    });
    expect((await (await send('/openapi.json')).json()).openapi).toBe('3.1.0');
    expect((await send('/docs')).headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await (await send('/healthz')).json()).toEqual({ status: 'ok' });
    expect((await send('/readyz')).status).toBe(200);
    for (const path of [
      ...(dialect.pages ? [] : ['/']),
      '/git',
      '/v5/x',
      '/cdn-cgi/none',
      '/healthz/',
      `${dialect.basePath}x`,
    ]) {
      const response = await send(path, { headers: { accept: 'text/markdown' } });
      expect([path, response.status, await response.text()]).toEqual([
        path,
        404,
        '# 404 Not Found\n\nNothing is served at this address.\n',
      ]);
    }
    expect((await send('/cdn-cgi/error/522')).status).toBe(522);
  });

  it('GIT-004: a path that only starts like a remote is 404 as text, with the headers of Git', async () => {
    const { send } = testService({ dialect });
    for (const path of ['/git/', '/git/a1', '/git/a1/n', '/git/a1/n/%zz/info/refs', '/git/a%201/n/r.git/info/refs']) {
      const response = await send(path);
      expect([path, response.status, await response.text()]).toEqual([path, 404, 'Not found']);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache, max-age=0, must-revalidate');
    }
  });

  it('ERR-100: a path that no area owns gets a reply in the negotiated format', async () => {
    const { send } = testService({ dialect });
    const bodies: readonly (readonly [accept: string, type: string, body: unknown])[] = [
      [
        'application/json, text/html;q=0.1',
        'application/json',
        '{"type":"about:blank","title":"Not Found","status":404,"detail":"Nothing is served at this address."}\n',
      ],
      ['text/*', 'text/markdown', '# 404 Not Found\n\nNothing is served at this address.\n'],
      ['*/*', 'text/html', expect.stringMatching(/^<!doctype html>[^]*Nothing is served at this address\./)],
    ];
    for (const [accept, type, body] of bodies) {
      const response = await send('/none', { headers: { accept } });
      expect([response.headers.get('content-type'), await response.text()]).toEqual([`${type}; charset=utf-8`, body]);
      const head = await send('/none', { method: 'HEAD', headers: { accept } });
      expect([head.headers.get('content-length'), await head.text()]).toEqual([
        response.headers.get('content-length'),
        '',
      ]);
    }
  });

  it('ERR-085, ERR-099: body, header and log line of area C have one ray id, and nothing is an incident', async () => {
    const { send, log } = testService({ dialect });
    for (const [path, method, status] of [
      ['/cdn-cgi/error/1015', 'GET', 429],
      ['/cdn-cgi/error/500', 'GET', 500],
      ['/cdn-cgi/error/9999', 'GET', 404],
      ['/none', 'GET', 404],
      ['/healthz', 'POST', 405],
    ] as const) {
      log.length = 0;
      const response = await send(path, { method, headers: { accept: 'application/json' } });
      const id = response.headers.get(dialect.requestIdHeader);
      expect(id).toMatch(/^[0-9a-f]{16}-LOC$/);
      expect(log).toEqual([expect.objectContaining({ event: 'request', request_id: id, path, status })]);
      const { ray_id: ray } = (await response.json()) as { ray_id?: string };
      expect(ray ?? id?.slice(0, 16)).toBe(id?.slice(0, 16));
      expect(isIncident({ method, path, status })).toBe(false);
    }
    expect(isIncident({ method: 'GET', path: '/cdn-cgi/none', status: 500 })).toBe(true);
    expect(isIncident({ method: 'GET', path: '/readyz', status: 503 })).toBe(true);
  });

  it('ERR-003, ERR-005, ERR-076: platform errors have the constants of the dialect and the settings', async () => {
    const { send } = testService({ dialect, settings: { docs_base: 'https://docs.test', site: 'XYZ' } });
    const response = await send('/cdn-cgi/error/500', { headers: { accept: 'application/json' } });
    expect(response.headers.get(dialect.errors.rayIdHeader)).toMatch(/-XYZ$/);
    expect(await response.json()).toMatchObject({
      [dialect.errors.marker]: true,
      type:
        dialect.name === 'neutral'
          ? 'https://docs.test/errors/500'
          : expect.stringMatching(/\/cloudflare-5xx-errors\/$/),
      error_category: dialect.errors.platformCategory,
    });
  });

  it('ERR-055, ERR-086, ERR-099: the settings of platform errors apply', async () => {
    const ray = { [dialect.errors.rayIdHeader]: '0123456789abcdef-ABC', accept: 'text/markdown' };
    const usual = await testService({ dialect }).send('/cdn-cgi/error/500', { headers: ray });
    expect(usual.headers.get(dialect.errors.rayIdHeader)).not.toContain('0123456789abcdef');
    const byDefault = dialect.errors.guidanceMember ?? true;
    expect((await usual.text()).includes('\nwhat_you_should_do: ')).toBe(byDefault);
    const other = testService({ dialect, settings: { trust_ray_header: true, markdown_guidance_member: !byDefault } });
    const changed = await other.send('/cdn-cgi/error/500', { headers: ray });
    expect(changed.headers.get(dialect.errors.rayIdHeader)).toBe('0123456789abcdef-LOC');
    expect((await changed.text()).includes('\nwhat_you_should_do: ')).toBe(!byDefault);
    const off = testService({ dialect, settings: { error_route: false } });
    expect((await off.send('/cdn-cgi/error/500')).status).toBe(404);
  });

  it('paths of the host are read-only and can be switched off', async () => {
    const { hosting, send } = testService({ dialect });
    const pages = ['/docs', '/docs/errors', '/docs/errors/1015', '/docs/repos/errors', ...(dialect.pages ? ['/'] : [])];
    for (const path of ['/openapi.json', '/healthz', '/readyz', ...pages]) {
      const response = await send(path, { method: 'POST' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      const head = await send(path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      const get = await send(path);
      const length = String((await get.arrayBuffer()).byteLength);
      expect([get.headers.get('content-length'), head.headers.get('content-length')]).toEqual([length, length]);
    }
    const git = async () => new Response('git');
    const bare = createService({ hosting, git, openapi: false, docs: false, healthz: false, readyz: false });
    for (const path of ['/openapi.json', '/healthz', '/readyz', ...pages]) {
      expect((await bare(new Request(`http://127.0.0.1:8787${path}`))).status).toBe(404);
    }
    const waiting = createService({ hosting, git, ready: async () => false });
    expect((await waiting(new Request('http://127.0.0.1:8787/readyz'))).status).toBe(503);
  });

  it('a document that cannot be made is a plain 500, and a later request makes it', async () => {
    const { hosting } = testService({ dialect });
    let broken = true;
    const settings = {
      ...hosting.settings,
      get description_max() {
        if (broken) throw new TypeError('not now');
        return hosting.settings.description_max;
      },
    };
    const log: unknown[] = [];
    const git = async (): Promise<Response> => new Response('git');
    const service = createService({ hosting: { ...hosting, settings }, git, log: (record) => log.push(record) });
    const send = (path: string): Promise<Response> => service(new Request(`http://127.0.0.1:8787${path}`));
    const together = await Promise.all([send('/openapi.json'), send('/docs')]);
    expect(await Promise.all(together.map((one) => one.text()))).toEqual(
      Array.from({ length: 2 }, () => 'An internal error occurred.'),
    );
    expect(together.map(({ status }) => status)).toEqual([500, 500]);
    expect(log).toContainEqual(expect.objectContaining({ event: 'failure', message: 'not now' }));
    broken = false;
    expect(await (await send('/openapi.json')).json()).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: hosting.settings.public_url }],
    });
    expect((await send('/docs')).status).toBe(200);
  });

  it('REPO-007, REPO-009: a handler that throws is a plain 500 with a request id, and only the log has the error', async () => {
    const { send, log } = testService({
      dialect,
      git: async () => {
        throw new TypeError('cannot read /var/lib/packs/1');
      },
    });
    const response = await send('/git/a1/n/r.git/info/refs');
    expect([response.status, await response.text()]).toEqual([500, 'An internal error occurred.']);
    expect(log).toEqual([
      {
        event: 'failure',
        request_id: response.headers.get(dialect.requestIdHeader),
        error: 'TypeError',
        code: null,
        message: 'cannot read <path>',
      },
      expect.objectContaining({ event: 'request', status: 500, account: 'a1', path: '/git/a1/n/r.git/info/refs' }),
    ]);
  });

  it('REPO-007: the Git handler receives the request id, for its reports', async () => {
    const { send } = testService({ dialect, git: async (_, __, requestId) => new Response(requestId) });
    const response = await send('/git/a1/n/r.git/info/refs');
    expect(await response.text()).toBe(response.headers.get(dialect.requestIdHeader));
  });

  it('REPO-009: a token in the place of an account is not logged', async () => {
    const { send, log } = testService({ dialect });
    const token = `rht_v1_${'0123456789abcdef'.repeat(3).slice(0, 40)}`;
    await send(`${dialect.basePath}/accounts/${token}/${dialect.serviceSegment}/namespaces`);
    await send(`/git/${token}/n/r.git/info/refs`);
    await send(`${dialect.basePath}/accounts/a1/${dialect.serviceSegment}/namespaces`);
    expect(JSON.stringify(log)).not.toContain('0123456789');
    expect(log).toMatchObject([{ account: 'rht_v1_***' }, { event: 'request' }, { account: 'a1' }]);
  });

  it('REPO-007: a reply with immutable headers gets its request id too', async () => {
    const { send } = testService({ dialect, git: async () => Response.redirect('http://x.test/') });
    const response = await send('/git/a1/n/r.git/info/refs');
    expect(response.headers.get(dialect.requestIdHeader)).toMatch(/^[0-9a-f]{16}-LOC$/);
  });
});

it('REPO-023: the cloudflare remote names the account by host, in any case', async () => {
  const hosting = createHosting({
    engine: createGitEngine({ codec: nodeCodec() }),
    dialect: cloudflare,
    catalog: memoryCatalogs(),
    storage: memoryRepos(),
    authorizer: { authorize: async () => undefined },
    settings: { public_url: 'https://api.host.test', git_origin: 'https://git.host.test', accounts: ['Acme', 'b2'] },
  });
  const service = createService({ hosting, git: async (_, match) => Response.json(match) });
  const get = async (url: string) => (await service(new Request(url))).text();
  const remote = hosting.remotes.fill({ account: 'Acme', namespace: 'Ns', repo: 'r' });
  expect(remote).toBe('https://Acme.git.host.test/git/Ns/r.git');
  expect(JSON.parse(await get(`${remote}/info/refs`))).toEqual({
    account: 'Acme',
    namespace: 'Ns',
    repo: 'r',
    path: '/info/refs',
  });
  expect(await get('https://git.host.test/git/Ns/r.git/info/refs')).toContain('Nothing is served');
  expect(await get('https://b2.git.host.test/git/Ns')).toBe('Not found');
});
