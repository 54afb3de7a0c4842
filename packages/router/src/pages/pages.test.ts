import { createHash } from 'node:crypto';
import { cloudflare, neutral, type Settings } from '@packhouse/hosting';
import { repoErrors } from '@packhouse/base';
import { taggingErrors } from '@packhouse/tagging';
import { builtInEntries } from '@packhouse/problem-details';
import { describe, expect, it } from 'vitest';
import { createService } from '../service.ts';
import { testTags } from '../tags/test-tags.test.util.ts';
import { testService } from '../test-service.test.util.ts';
import { pageHtml } from './page-html.ts';
import { pageMarkdown } from './page-response.ts';
import { pagePolicy, pageStyle } from './page-style.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

/** Sends a GET to a service with these settings. `address` is the URL that the client uses. */
async function read(address: string, accept: string, settings: Partial<Settings> = {}): Promise<Response> {
  const { service } = testService({ dialect: neutral, settings });
  return await service(new Request(address, { headers: { accept } }));
}

describe('the front page', () => {
  it('REPO-211: says what this is, that it is ready, and the first commands, in each form', async () => {
    const { service } = testService({ dialect: neutral, settings: { accounts: ['local'] } });
    const texts: Record<string, string> = {};
    for (const accept of ['text/html', 'text/markdown', 'application/json', 'application/problem+json']) {
      const response = await service(new Request('http://127.0.0.1:8787/', { headers: { accept } }));
      texts[accept] = await response.text();
      const type = accept.replace('problem+', '');
      expect([response.status, response.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    }
    const create = 'curl -sS http://127.0.0.1:8787/v4/accounts/local/repos/namespaces/default/repos';
    const clone = 'clone http://127.0.0.1:8787/git/local/default/hello.git';
    for (const text of Object.values(texts)) for (const part of [create, clone]) expect(text).toContain(part);
    expect(texts['text/html']).toContain('The server is <strong>ready</strong>.');
    expect(texts['text/markdown']).toContain('The server is **ready**.');
    expect(JSON.parse(texts['application/json'] ?? '')).toMatchObject({
      status: 'ready',
      docs_url: 'http://127.0.0.1:8787/docs',
      openapi_url: 'http://127.0.0.1:8787/openapi.json',
      commands: [expect.any(String), expect.any(String), expect.any(String)],
    });
  });

  it('REPO-211: says that the service is not ready', async () => {
    const { hosting } = testService({ dialect: neutral });
    const waiting = createService({
      hosting,
      git: async () => new Response(),
      ready: async () => false,
      openapi: false,
    });
    const request = new Request('http://127.0.0.1:8787/', { headers: { accept: 'application/json' } });
    const response = await waiting(request);
    const data = (await response.json()) as object;
    expect([response.status, data]).toEqual([200, expect.objectContaining({ status: 'not ready' })]);
    expect(data).not.toHaveProperty('openapi_url');
  });

  it.each([
    [{}, 'http://127.0.0.1:8787/', 'http://127.0.0.1:8787'],
    [{}, 'http://192.168.1.5:8787/', 'http://192.168.1.5:8787'],
    [{}, 'http://localhost:9000/', 'http://localhost:9000'],
    [{}, 'http://[fd00::5]:9000/', 'http://[fd00::5]:9000'],
    [{}, "http://a'$(b).test/", 'http://127.0.0.1:8787'],
    [{ public_url: 'https://api.example' }, 'http://10.0.0.1:8787/', 'https://api.example'],
    [{ public_url: 'https://api.example' }, 'http://127.0.0.1:8787/', 'https://api.example'],
  ])('REPO-211: with the settings %j, a request to %s gets addresses at %s', async (settings, address, origin) => {
    const data = JSON.stringify(await (await read(address, 'application/json', settings)).json());
    expect(data).toContain(`curl -sS ${origin}/v4/`);
    expect(data).toContain(`clone ${origin}/git/`);
    expect(data).toContain(`"docs_url":"${origin}/docs"`);
  });

  it('REPO-211: keeps a separate Git origin unchanged', async () => {
    const settings = { git_origin: 'https://git.example' };
    const text = await (await read('http://192.168.1.5/', 'text/markdown', settings)).text();
    expect(text).toContain('curl -sS http://192.168.1.5/v4/');
    expect(text).toContain('clone https://git.example/git/');
  });

  it('REPO-211: names no account except the default one', async () => {
    for (const accounts of [['acme'], 'any'] as const) {
      const text = await (await read('http://127.0.0.1:8787/', 'text/html', { accounts })).text();
      expect(text).toContain('/v4/accounts/$ACCOUNT/repos');
      expect(text).toContain('/git/$ACCOUNT/default/hello.git');
      expect(text).not.toContain('acme');
    }
  });

  it('REPO-210: does not exist in the cloudflare dialect', async () => {
    const { send } = testService({ dialect: cloudflare });
    expect((await send('/', { headers: { accept: browser } })).status).toBe(404);
  });
});

describe('the address of a repository in a browser', () => {
  const addresses = ['/git/a1/n/r.git', '/git/a1/n/r.git/', '/git/a1/n/r', '/git/a1/n/r/'];

  it('GIT-179: explains itself, with the command that clones it', async () => {
    for (const path of addresses) {
      const response = await read(`http://127.0.0.1:8787${path}`, browser);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('cache-control')).toBe('no-cache, max-age=0, must-revalidate');
      expect(await response.text()).toContain('<code>git clone http://127.0.0.1:8787/git/a1/n/r.git</code>');
    }
    const elsewhere = await read('http://192.168.1.5:8787/git/a1/n/r', browser);
    expect(await elsewhere.text()).toContain('<code>git clone http://192.168.1.5:8787/git/a1/n/r.git</code>');
  });

  it('GIT-025, GIT-179: reads nothing from the service, for any names', async () => {
    const { service, log } = testService({
      dialect: neutral,
      git: async () => {
        throw new Error('asked');
      },
    });
    const pages = new Set<string>();
    for (const name of ['one', 'two', '-x', '..x']) {
      const response = await service(
        new Request(`http://127.0.0.1:8787/git/none/n/${name}.git`, { headers: { accept: browser } }),
      );
      expect(response.status).toBe(200);
      pages.add((await response.text()).replace(`/${name}.git`, ''));
    }
    expect(pages.size).toBe(1);
    expect(log.map((record) => record.event)).toEqual(['request', 'request', 'request', 'request']);
  });

  it('GIT-179: spells an account in the host as the request does, whether it exists or not', async () => {
    const settings = {
      accounts: ['Acme', 'other'],
      remote_template: 'https://{account_id}.git.test/{namespace}/{repo}.git',
    };
    const { service } = testService({ dialect: neutral, settings });
    for (const account of ['acme', 'none']) {
      const response = await service(
        new Request(`https://${account}.git.test/n/r~1`, { headers: { accept: browser } }),
      );
      expect(await response.text()).toContain(`<code>git clone https://${account}.git.test/n/r~1.git</code>`);
    }
  });

  it('GIT-004: changes nothing for clients other than browsers, other methods and other paths', async () => {
    const { service } = testService({ dialect: neutral });
    const send = (path: string, init: RequestInit): Promise<Response> =>
      service(new Request(`http://127.0.0.1:8787${path}`, init));
    for (const accept of [
      '*/*',
      'text/*',
      'application/json',
      'text/markdown, text/html;q=0.5',
      'text/html;q=0, */*',
    ]) {
      const response = await send('/git/a1/n', { headers: { accept } });
      expect([accept, response.status, await response.text()]).toEqual([accept, 404, 'Not found']);
      // The Git handler of this test service replies with the match that it received.
      expect(await (await send('/git/a1/n/r.git', { headers: { accept } })).json()).toMatchObject({ path: '' });
    }
    const headers = { accept: browser };
    expect(await (await send('/git/a1/n/r.git', { method: 'POST', headers })).json()).toMatchObject({ path: '' });
    expect(await (await send('/git/a1/n/r.git/info/refs', { headers })).json()).toMatchObject({ path: '/info/refs' });
    for (const path of ['/git/', '/git/a1', '/git/a1/n', "/git/a1/n/$(r)'.git", '/git/a1/n/r%20.git']) {
      const response = await send(path, { headers });
      expect(await response.text()).not.toContain('git clone');
    }
    const head = await send('/git/a1/n/r', { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('REPO-210: in the cloudflare dialect, browsers get the reply of other clients', async () => {
    const { send } = testService({ dialect: cloudflare });
    const response = await send('/git/a1/n/r', { headers: { accept: browser } });
    expect([response.status, await response.text()]).toEqual([404, 'Not found']);
  });
});

describe.each([neutral, cloudflare])('pages of codes, $name', (dialect) => {
  it('REPO-213: each documentation address of an error leads to an anchor of a page', async () => {
    const { send } = testTags({ dialect });
    for (const [path, rows] of [
      ['/docs/repos/errors', repoErrors],
      ['/docs/tags/errors', taggingErrors],
    ] as const) {
      const html = await (await send(path)).text();
      const markdown = await (await send(path, { headers: { accept: 'text/markdown' } })).text();
      for (const { code, message, reason, hint } of Object.values(rows)) {
        expect(html.split(`<section class="wide" id="${code}">`)).toHaveLength(2);
        expect(markdown).toContain(`\n## ${code}\n`);
        expect(markdown).toContain(`\`${reason}\`: \`${message}\`. ${hint}`);
      }
    }
    const { json } = await testTags().ask('GET', '/tags', { token: null });
    const address = new URL(String(json.errors[0]?.documentation_url));
    expect(address.href).toBe('http://127.0.0.1:8787/docs/tags/errors#10000');
    expect(await (await send(address.pathname)).text()).toContain(` id="${address.hash.slice(1)}"`);
  });

  it('REPO-213: each code of the catalogue has a page, and other codes have no page', async () => {
    const { send } = testService({ dialect });
    const list = await (await send('/docs/errors')).text();
    for (const { code, short_name, error_name } of builtInEntries) {
      const response = await send(`/docs/errors/${code}`, { headers: { accept: 'text/markdown' } });
      const text = await response.text();
      expect(text).toMatch(new RegExp(`^# Error ${code}: `));
      expect(text).toContain(`\`${error_name}\``);
      expect(list).toContain(`<a href="/docs/errors/${code}">${code} ${short_name.replaceAll("'", '&#39;')}</a>`);
    }
    for (const path of ['/docs/errors/9999', '/docs/errors//', '/docs/errors/x', '/docs/tags/errors', '/docs/none']) {
      expect([path, (await send(path)).status]).toEqual([path, 404]);
    }
    const off = testService({ dialect, settings: { error_route: false } });
    expect(await (await off.send('/docs/errors/522')).text()).not.toContain('/cdn-cgi/');
  });

  it('REPO-213: answers the address of a page with a slash at its end by the same page', async () => {
    const { send } = testService({ dialect });
    for (const path of ['/docs', '/docs/errors', '/docs/errors/1015', '/docs/repos/errors']) {
      const [page, again] = [await send(path), await send(`${path}/`)];
      expect([path, again.status, await again.text()]).toEqual([path, 200, await page.text()]);
    }
  });

  it('REPO-213: sends programs the same content as JSON', async () => {
    const { send } = testService({ dialect });
    const headers = { accept: 'application/json' };
    const error = (await (await send('/cdn-cgi/error/522', { headers })).json()) as object;
    const shown = (await (await send('/docs/errors/522', { headers })).json()) as object;
    expect(error).toMatchObject(shown);
    const missing = Object.keys(error).filter((name) => !(name in shown));
    expect(missing).toEqual(['instance', 'ray_id', 'timestamp', 'zone', 'footer']);
    expect(await (await send('/docs/repos/errors', { headers })).json()).toMatchObject({
      errors: expect.arrayContaining([
        expect.objectContaining({ code: 10200, status: 404, message: 'Commit not found' }),
      ]),
    });
  });

  it('ERR-005, REPO-016, REPO-213: the addresses are those of the dialect, and begin with docs_base', async () => {
    const { send, call } = testService({ dialect, settings: { public_url: 'https://api.example' } });
    const types = (await (await send('/docs/errors', { headers: { accept: 'application/json' } })).json()) as {
      errors: { type: string }[];
    };
    const { json } = await call('GET', '/namespaces/none');
    const ours = dialect === neutral;
    expect(types.errors[0]?.type).toMatch(ours ? /^https:\/\/api\.example\/docs\/errors\/500$/ : /cloudflare\.com/);
    expect(json.errors[0]?.documentation_url).toMatch(
      ours ? /^https:\/\/api\.example\/docs\/repos\/errors#10200$/ : /cloudflare\.com/,
    );
  });
});

describe('a page', () => {
  it('REPO-214: has the headers of error pages, and the policy names the hash of its style', async () => {
    const response = await read('http://127.0.0.1:8787/docs/errors/1015', 'text/html');
    const { headers } = response;
    expect(pagePolicy).toContain(`'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`);
    expect(await response.text()).toContain(`<style>${pageStyle}</style>`);
    const error = await read('http://127.0.0.1:8787/cdn-cgi/error/1015', 'text/html');
    const shared = ['cache-control', 'vary', 'content-language', 'x-content-type-options', 'referrer-policy'];
    for (const name of [...shared, 'x-frame-options']) expect(headers.get(name)).toBe(error.headers.get(name));
    const withoutHash = (policy: string | null): string | undefined => policy?.replace(/sha256-[^']*/, '');
    expect(withoutHash(headers.get('content-security-policy'))).toBe(
      withoutHash(error.headers.get('content-security-policy')),
    );
    expect(headers.get('x-ray-id')).toMatch(/^[0-9a-f]{16}-LOC$/);
    const markdown = await read('http://127.0.0.1:8787/docs/errors/1015', 'text/markdown');
    expect(markdown.headers.has('content-security-policy')).toBe(false);
  });

  it('REPO-214: has no script, nothing to fetch, and links that lead somewhere', async () => {
    const { send } = testTags({ dialect: neutral });
    const links = new Set<string>();
    for (const path of ['/', '/docs/repos/errors', '/docs/tags/errors', '/docs/errors', '/docs/errors/1015']) {
      const html = await (await send(path)).text();
      expect(html).not.toMatch(/<(?:script|form|iframe|object|img)\b|\son[a-z]+=|javascript:|\ssrc=|undefined/);
      expect(html.match(/<link /g)).toHaveLength(1);
      expect(html.match(/<h1>/g)).toHaveLength(1);
      for (const [, link] of html.matchAll(/<a href="([^"]*)"/g)) links.add(String(link));
    }
    expect(links.size).toBeGreaterThan(75);
    for (const link of links) {
      const { status } = await send(link, { headers: { accept: 'application/json' } });
      expect([link, status]).toEqual([link, link === '/cdn-cgi/error/1015' ? 429 : 200]);
    }
  });

  it('escapes all texts, and has no markup except code, strong and links', () => {
    const evil = '<b>"&\'';
    const page = {
      title: evil,
      intro: [`\`${evil}**x**\` **${evil}** [${evil}](/docs) ${evil}`, { items: [evil] }, { code: evil }],
      sections: [{ id: evil, heading: evil, blocks: [evil] }],
      data: {},
    };
    const html = pageHtml(page);
    const shown = '&lt;b&gt;&quot;&amp;&#39;';
    expect(html).not.toContain('<b>');
    expect(html).toContain(`<p><code>${shown}**x**</code> <strong>${shown}</strong> <a href="/docs">${shown}</a>`);
    expect(html.split(shown)).toHaveLength(12);
    expect(pageMarkdown(page)).toContain(`\n\n- ${evil}\n\n\`\`\`sh\n${evil}\n\`\`\`\n\n## ${evil}\n\n${evil}\n`);
  });
});
