import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import * as git from 'isomorphic-git';
import { setupServer } from 'msw/node';
import { cloneOf } from '../browser/clone-of.ts';
import { createMock } from '../../src/index.ts';
import { createTaggingMock } from '../../src/tagging.ts';
import { withOwnBody } from '../../src/handlers/own-body.ts';

const url = 'https://api.example.test/';
const visible = Object.getOwnPropertyDescriptor(Request.prototype, 'body') as PropertyDescriptor;

/** Simulates browsers whose requests have no `body`. */
function hideBodies(): void {
  Object.defineProperty(Request.prototype, 'body', { configurable: true, get: () => undefined });
}

const chunks = async (request: Request): Promise<string> =>
  request.body === null ? 'null' : await new Response(request.body).text();

describe.each(['shown', 'hidden'])('a request whose body is %s', (how) => {
  beforeAll(() => {
    if (how === 'hidden') hideBodies();
  });
  afterAll(() => void Object.defineProperty(Request.prototype, 'body', visible));

  it('keeps everything except the body, which becomes a stream', async () => {
    const left = new AbortController();
    const given = new Request(url, {
      method: 'PUT',
      headers: { 'content-type': 'x/y', 'x-more': '1' },
      body: 'sent',
      redirect: 'manual',
      signal: left.signal,
    });
    const own = await withOwnBody(given);
    expect([own.method, own.url, own.redirect, [...own.headers]]).toEqual([
      'PUT',
      url,
      'manual',
      [
        ['content-type', 'x/y'],
        ['x-more', '1'],
      ],
    ]);
    expect(await chunks(own)).toBe('sent');
    left.abort();
    expect(own.signal.aborted).toBe(true);
  });

  it.each(['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'])('%s without a body stays without one', async (method) => {
    const own = await withOwnBody(new Request(url, { method }));
    expect([own.method, await chunks(own)]).toEqual([method, 'null']);
  });

  it('an empty body counts as none', async () => {
    expect(await chunks(await withOwnBody(new Request(url, { method: 'POST', body: '' })))).toMatch(/^(?:null)?$/);
  });

  it('cancels a long body that has a copy', async () => {
    const given = new Request(url, { method: 'POST', body: new Uint8Array(3_000_000) });
    const copy = given.clone();
    await (await withOwnBody(given)).body?.cancel();
    expect((await copy.arrayBuffer()).byteLength).toBe(3_000_000);
  });

  it('reads the body only once, as happy-dom requires', async () => {
    const given = new Request(url, { method: 'POST', body: 'sent' });
    vi.stubGlobal(
      'Request',
      class extends Request {
        constructor(input: string | Request, init?: RequestInit) {
          super(typeof input === 'string' || input.body === undefined ? input : input.clone(), init);
        }
      },
    );
    try {
      expect(await chunks(await withOwnBody(given))).toBe('sent');
    } finally {
      vi.unstubAllGlobals();
    }
  });

  describe('to a mock', () => {
    const mock = createMock({
      baseUrl: 'https://api.example.test',
      seed: { repos: { notes: { files: { a: 'a\n' } } } },
    });
    const tags = createTaggingMock({ baseUrl: 'https://tags.example.test' });
    const server = setupServer(...mock.handlers, ...tags.handlers);
    beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
    afterAll(() => server.close());
    afterEach(() => mock.store.reset());
    const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };

    it('REPO-040, LIM-009: creates, refuses an empty or too long body, and reads', async () => {
      const send = async (method: string, path: string, body?: string): Promise<number> =>
        (await fetch(`${mock.restUrl}${path}`, { method, headers, ...(body !== undefined && { body }) })).status;
      expect(await send('POST', '/namespaces', '{"namespace":"made"}')).toBe(201);
      expect(await send('POST', '/namespaces', '')).toBe(400);
      expect(await send('POST', '/namespaces')).toBe(400);
      expect(await send('POST', '/namespaces', ' '.repeat(2_000_000))).toBe(413);
      expect(await send('GET', '/namespaces')).toBe(200);
      expect(await send('HEAD', '/namespaces')).toBe(200);
      expect(await send('DELETE', '/namespaces/made')).toBe(204);
    });

    it('sets and removes tags', async () => {
      const resource = { resource_type: 'worker', resource_id: 'w1' };
      const send = async (method: string, body: object): Promise<number> =>
        (await fetch(`${tags.accountUrl}/tags`, { method, headers, body: JSON.stringify(body) })).status;
      expect(await send('PUT', { ...resource, tags: { env: 'prod' } })).toBe(200);
      expect((await tags.store.inspect.tags()).map((record) => record.tags)).toEqual([{ env: 'prod' }]);
      expect(await send('DELETE', resource)).toBe(204);
      expect(await tags.store.inspect.tags()).toEqual([]);
    });

    it('supports clone and push by isomorphic-git, also with an expired token', async () => {
      const remote = await cloneOf(mock, 'notes');
      const { fs, dir } = remote;
      await git.clone(remote);
      await fs.promises.writeFile(`${dir}/b`, 'b\n');
      await git.add({ fs, dir, filepath: 'b' });
      const oid = await git.commit({ fs, dir, message: 'b', author: { name: 'Ada', email: 'a@example.com' } });
      mock.faults.add({ kind: 'expired token', method: 'POST', times: 1 });
      await expect(git.push(remote)).rejects.toThrow('403');
      await git.push(remote);
      expect((await mock.store.inspect.refs('notes'))['refs/heads/main']).toBe(oid);
    });
  });
});
