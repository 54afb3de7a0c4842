import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { Log, LogLevel, Miniflare } from 'miniflare';
import { afterAll, describe, expect, it } from 'vitest';

const markdown = readFileSync(new URL('../../../docs/tagging.md', import.meta.url), 'utf8');

/** The modules of the document, by the names that the comments before them give. */
const modules = new Map(
  [
    ...markdown.matchAll(
      /<!-- executed by packages\/workers\/test\/tagging-document\.runtimes\.test\.ts: ([\w.]+) -->\s*```ts\n([^]*?)```/g,
    ),
  ].map(([, name = '', text = '']) => [name, text]),
);

const folder = mkdtempSync(join(tmpdir(), 'packhouse-tagging-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bundles a module of the document, as an app does that has installed what it imports. */
async function bundled(name: string, platform: 'node' | 'browser'): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: (modules.get(name) ?? '').replace('tags.sqlite', join(folder, 'tags.sqlite')),
      // What the examples import is installed there.
      resolveDir: fileURLToPath(new URL('../../router/src', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    platform,
    conditions: platform === 'browser' ? ['workerd', 'worker', 'browser'] : [],
    external: ['cloudflare:workers'],
    target: 'es2024',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

interface App {
  readonly default: { fetch(request: Request): Response | Promise<Response> };
  readonly renamePrinter: (id: string, name: string) => Promise<void>;
  readonly removePrinter: (id: string) => Promise<void>;
}

async function imported(name: string): Promise<App> {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, await bundled(name, 'node'));
  return (await import(pathToFileURL(file).href)) as App;
}

const put = (url: string, headers: Record<string, string>, resource: object): Request =>
  new Request(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...resource, tags: { team: 'core' } }),
  });
const worker = { resource_type: 'worker', resource_id: 'w1' };

describe('the modules of docs/tagging.md', () => {
  it('are all run here', () => {
    expect([...modules.keys()]).toEqual(['hono.ts', 'fetch.ts', 'worker.ts']);
    expect(markdown.match(/^```ts$/gm)).toHaveLength(modules.size);
  });

  it('TAG-020: mount tagging in Hono, with a pair of headers', async () => {
    const { default: app } = await imported('hono.ts');
    const url = 'http://app.test/v4/accounts/shop/tags';
    const pair = { 'X-Auth-Email': 'ann@shop.example', 'X-Auth-Key': 'key-of-ann' };
    expect((await app.fetch(put(url, pair, worker))).status).toBe(200);
    expect((await app.fetch(put(url, { ...pair, 'X-Auth-Email': 'bob@shop.example' }, worker))).status).toBe(401);
    expect((await app.fetch(put(url.replace('shop', 'other'), pair, worker))).status).toBe(403);
    expect(await (await app.fetch(new Request('http://app.test/'))).text()).toBe('The rest of the app');
    const document = await (await app.fetch(new Request('http://app.test/openapi.json'))).json();
    expect(document).toMatchObject({ openapi: '3.1.0' });
  });

  it('mount it around a fetch handler, with a file, types and zones of its own', async () => {
    const { default: app, renamePrinter, removePrinter } = await imported('fetch.ts');
    const base = 'http://app.test/api/accounts/shop/tags';
    const token = { authorization: 'Bearer secret' };
    const printer = { resource_type: 'printer', resource_id: 'p1' };
    expect(await (await app.fetch(put(base, token, printer))).json()).toMatchObject({
      result: { name: 'Second floor', tags: { team: 'core' } },
    });
    expect((await app.fetch(put(base, token, { ...printer, resource_id: 'p2' }))).status).toBe(404);
    expect((await app.fetch(put(base, token, worker))).status).toBe(200);
    const zone = { resource_type: 'zone', resource_id: 'z9' };
    expect((await app.fetch(put('http://app.test/api/zones/z9/tags', token, zone))).status).toBe(200);
    expect((await app.fetch(put('http://app.test/api/zones/z8/tags', token, zone))).status).toBe(403);
    const named = async (name: string): Promise<unknown> => {
      const found = await app.fetch(new Request(`${base}/resources?name=${name}`, { headers: token }));
      return ((await found.json()) as { result: { id: string }[] }).result.map(({ id }) => id);
    };
    await renamePrinter('p1', 'Third floor');
    expect([await named('second'), await named('third')]).toEqual([[], ['p1']]);
    await removePrinter('p1');
    expect(await named('third')).toEqual([]);
    const untagged = await app.fetch(new Request(`${base}?resource_type=queue&resource_id=q`, { headers: token }));
    expect(untagged.status).toBe(404);
    const rest = await app.fetch(new Request('http://app.test/v4/accounts/shop/tags'));
    expect([rest.status, await rest.text()]).toEqual([404, 'The rest of the app']);
  });

  it('run in a Worker, with a Durable Object', async () => {
    const miniflare = new Miniflare({
      modules: [{ type: 'ESModule', path: 'worker.mjs', contents: await bundled('worker.ts', 'browser') }],
      durableObjects: { TAGS: { className: 'Tags', useSQLite: true } },
      bindings: { API_TOKEN: 'secret' },
      compatibilityDate: '2026-07-01',
      cf: false,
      telemetry: { enabled: false },
      log: new Log(LogLevel.NONE),
    });
    try {
      const ask = async (path: string, init?: object): Promise<readonly [number, string]> => {
        const response = await miniflare.dispatchFetch(`http://app.test${path}`, {
          headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
          ...init,
        });
        return [response.status, await response.text()];
      };
      const body = JSON.stringify({ ...worker, tags: { team: 'core' } });
      expect((await ask('/v4/accounts/shop/tags', { method: 'PUT', body }))[0]).toBe(200);
      const [status, text] = await ask('/v4/accounts/shop/tags/resources?tag=team=core&case_insensitive=true');
      expect([status, JSON.parse(text).result]).toEqual([200, [expect.objectContaining({ id: 'w1' })]]);
      expect((await ask('/v4/accounts/shop/tags/keys', { headers: {} }))[0]).toBe(401);
      expect(await ask('/v4/elsewhere')).toEqual([404, 'Not found']);
      expect(await ask('/')).toEqual([200, 'The rest of the app']);
    } finally {
      await miniflare.dispose();
    }
  }, 60_000);
});
