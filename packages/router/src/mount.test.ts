import { memoryStorage } from '@packhouse/storage';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { mountable } from './mount.ts';
import { packhouse, type PackhouseOptions } from './packhouse.ts';

const everything = [
  { account: 'local', permission: 'Repos Edit' },
  { account: 'local', permission: 'Tag Write' },
];
const options = (public_url: string): PackhouseOptions => ({
  storage: memoryStorage(),
  authorize: async (token) => (token === 'secret' ? everything : undefined),
  settings: { public_url },
});

/** Makes an app with the service at `path`, and one other route. */
const appWith = (path: string, public_url = `https://app.test${path}`) => {
  const service = packhouse(options(public_url));
  const app = new Hono();
  app.get('/', (context) => context.text('the app'));
  app.route(path, service.app);
  const ask = async (address: string, init: RequestInit = {}): Promise<Response> =>
    app.request(`https://app.test${address}`, {
      ...init,
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json', ...init.headers },
    });
  return { ...service, app, ask };
};
const repos = '/v4/accounts/local/repos/namespaces/default/repos';

describe('REPO-216: a service below a path of an app', () => {
  it('creates, lists and reads repositories below the path, with remotes that begin with it', async () => {
    const { ask } = appWith('/git-host');
    const created = await ask(`/git-host${repos}`, { method: 'POST', body: '{"name":"notes"}' });
    const { result } = (await created.json()) as { result: { remote: string; token: string } };
    expect([created.status, result.remote]).toEqual([201, 'https://app.test/git-host/git/local/default/notes.git']);
    const listed = (await (await ask(`/git-host${repos}`)).json()) as { result: { name: string; remote: string }[] };
    expect(listed.result).toMatchObject([{ name: 'notes', remote: result.remote }]);
    const discovery = await ask('/git-host/git/local/default/notes.git/info/refs?service=git-upload-pack', {
      headers: { authorization: `Bearer ${result.token}` },
    });
    expect([discovery.status, discovery.headers.get('content-type')]).toEqual([
      200,
      'application/x-git-upload-pack-advertisement',
    ]);
    const tags = { resource_type: 'worker', resource_id: 'w', tags: { a: 'b' } };
    const tagged = await ask('/git-host/v4/accounts/local/tags', { method: 'PUT', body: JSON.stringify(tags) });
    expect(tagged.status).toBe(200);
    // The service counts path segments after the mount path.
    const raw = await ask(`/git-host${repos}/notes/raw/HEAD/a%2Fb`);
    expect([raw.status, await raw.json()]).toMatchObject([404, { success: false }]);
  });

  it('serves its pages, links and documents below the path', async () => {
    const { ask } = appWith('/git-host');
    const document = (await (await ask('/git-host/openapi.json')).json()) as { servers: unknown; paths: object };
    expect(document.servers).toEqual([{ url: 'https://app.test/git-host' }]);
    expect(Object.keys(document.paths)).toContain('/v4/accounts/{account_id}/repos/namespaces');
    for (const path of ['/docs', '/docs/errors/1015', '/healthz', '/readyz'])
      expect((await ask(`/git-host${path}`)).status, path).toBe(200);
    const html = { accept: 'text/html' };
    for (const page of ['', '/', '/docs', '/docs/errors', '/docs/errors/1015', '/git/local/default/notes.git']) {
      const address = `/git-host${page}`;
      const text = await (await ask(address, { headers: html })).text();
      const links = [...text.matchAll(/<a href="([^#"][^"]*)"/g)].map(
        ([, link]) => new URL(String(link), `https://app.test${address}`),
      );
      expect(links.length, page).toBeGreaterThan(0);
      for (const { origin, pathname } of links)
        if (origin === 'https://app.test')
          expect((await ask(pathname, { headers: html })).status, pathname).toBeOneOf([200, 429]);
    }
    expect((await ask('/git-host/cdn-cgi/error/1015')).status).toBe(429);
    const missing = (await (await ask(`/git-host${repos}/none`)).json()) as { errors: { documentation_url: string }[] };
    expect(missing.errors[0]?.documentation_url).toMatch(/^https:\/\/app\.test\/git-host\/docs\/repos\/errors#/);
  });

  it('leaves all other paths to the app', async () => {
    const { ask } = appWith('/git-host');
    expect(await (await ask('/')).text()).toBe('the app');
    for (const path of [repos, '/docs', '/git-hosts', '/git/local/default/notes.git/info/refs'])
      expect(await (await ask(path)).text(), path).toBe('404 Not Found');
  });

  it('answers 404 outside its path if the app has no other route', async () => {
    const { fetch } = packhouse(options('https://app.test/git-host'));
    for (const path of [repos, '/docs', '/git-hosts/docs', '/'])
      expect((await fetch(new Request(`https://app.test${path}`))).status, path).toBe(404);
    expect((await fetch(new Request('https://app.test/git-host/healthz'))).status).toBe(200);
  });

  it('works at the root of an app', async () => {
    const { ask } = appWith('/', 'https://app.test');
    expect(await (await ask('/')).text()).toBe('the app');
    expect((await ask('/healthz')).status).toBe(200);
  });

  it('throws an error that names both paths if they differ', async () => {
    const { app } = appWith('/git-host', 'https://app.test');
    const errors: unknown[] = [];
    app.onError((error) => {
      errors.push(error.message);
      return new Response('failed', { status: 500 });
    });
    expect((await app.request('https://app.test/git-host/healthz')).status).toBe(500);
    expect(errors).toEqual(['public_url is https://app.test, but the app is mounted at https://app.test/git-host']);
  });
});

it('lets the service answer if public_url is not known', async () => {
  const app = mountable(
    async () => new Response('not configured', { status: 500 }),
    () => undefined,
  );
  const reply = await new Hono().route('/any', app).request('/any/x');
  expect([reply.status, await reply.text()]).toEqual([500, 'not configured']);
});
