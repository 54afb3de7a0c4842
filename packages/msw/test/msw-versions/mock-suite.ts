import type { RequestHandler } from 'msw';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';

/** The functions of one version of MSW. */
export interface MswVersion {
  readonly name: string;
  /** Creates a server that refuses requests without a handler. */
  readonly serve: (handlers: readonly RequestHandler[]) => { listen(): void; close(): void };
  /** Creates a handler outside of the mock. */
  readonly own: (url: string, text: string) => RequestHandler;
}

const json = async (url: string, init?: RequestInit): Promise<{ status: number; headers: Headers; body: Shown }> => {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : (JSON.parse(text) as Shown) };
};

interface Shown {
  readonly result?: unknown;
  readonly errors?: readonly { readonly code: number; readonly message: string }[];
  readonly status?: number;
  readonly error_code?: number;
}

const token = { authorization: 'Bearer any', accept: 'application/json' };

/** Declares the tests that hold with every version. */
export function testMock({ name, serve, own }: MswVersion): void {
  describe(`createMock with ${name}`, () => {
    const seed = {
      namespaces: ['empty'],
      repos: {
        notes: { files: { 'README.md': '# Notes\n', 'docs/one.txt': 'one\n' }, tags: { v1: 0 } },
        'team/api': { description: 'An API' },
      },
      tags: [
        { repo: 'notes', tags: { env: 'test' } },
        { type: 'worker', id: 'w1', tags: { env: 'prod' } },
        { type: 'dns_record', id: 'd1', zone: 'z1', tags: { team: 'web' } },
      ],
    };
    const mock = createMock({ baseUrl: 'https://api.example.test', zones: ['z1'], seed });
    const other = createMock({ baseUrl: 'https://other.example.test', dialect: 'cloudflare', account: 'a1' });
    const server = serve([
      ...mock.handlers,
      ...other.handlers,
      own('https://api.example.test/mine', 'mine'),
      own('https://api.example.test/v4x', 'not an area'),
    ]);
    beforeAll(() => server.listen());
    afterAll(() => server.close());
    afterEach(async () => {
      await Promise.all([mock.store.reset(), other.store.reset()]);
    });

    it('makes handlers of this version', () => {
      expect(mock.handlers[0]?.constructor).toBe(own('https://api.example.test/', '').constructor);
    });

    it('REPO-050: serves the content of the seed', async () => {
      const { status, body } = await json(`${mock.restUrl}/namespaces/default/repos`, { headers: token });
      expect([status, body.result]).toEqual([
        200,
        [expect.objectContaining({ name: 'notes', default_branch: 'main' })],
      ]);
      const file = await fetch(`${mock.restUrl}/namespaces/default/repos/notes/raw/main/docs/one.txt`, {
        headers: token,
      });
      expect([file.status, await file.text()]).toEqual([200, 'one\n']);
    });

    it('REPO-029: two mocks do not affect each other', async () => {
      const made = await json(`${other.restUrl}/namespaces/default/repos`, {
        method: 'POST',
        headers: { ...token, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'theirs' }),
      });
      expect(made.status).toBe(201);
      expect(made.headers.get('cf-ray')).toMatch(/^[0-9a-f]{16}-LOC$/);
      expect((await other.store.inspect.repos()).map((repo) => repo.name)).toEqual(['theirs']);
      expect((await mock.store.inspect.repos()).map((repo) => repo.name)).toEqual(['notes']);
    });

    it('other paths of the origin are passed on to other handlers', async () => {
      expect(await (await fetch('https://api.example.test/mine')).text()).toBe('mine');
      expect(await (await fetch('https://api.example.test/v4x')).text()).toBe('not an area');
    });

    it('TAG-001: serves the tags of resources, including those of zones', async () => {
      const base = `${new URL(mock.restUrl).origin}/v4`;
      const list = await json(`${base}/accounts/local/tags/resources`, { headers: token });
      expect(list.body.result).toMatchObject([
        { type: 'dns_record' },
        { type: 'repository', name: 'default/notes' },
        { type: 'worker' },
      ]);
      expect(await mock.store.inspect.tagsOf('notes')).toEqual({ env: 'test' });
      expect(await mock.store.inspect.tagsOf('team/api')).toEqual({});
      const one = await json(`${base}/zones/z1/tags?resource_type=dns_record&resource_id=d1`, { headers: token });
      expect(one.body.result).toMatchObject({ tags: { team: 'web' }, zone_id: 'z1' });
    });

    it('ERR-092: shows platform errors', async () => {
      const { status, body } = await json('https://api.example.test/cdn-cgi/error/522', {
        headers: { accept: 'application/json' },
      });
      expect([status, body.error_code]).toEqual([522, 522]);
    });

    it('REPO-031: a request without a token is refused', async () => {
      expect((await json(`${mock.restUrl}/namespaces`)).status).toBe(401);
    });

    it.each([true, false])('LIM-009: a body above the limit is refused (it ends: %s)', async (ends) => {
      let left = 20;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          left -= 1;
          if (left >= 0) controller.enqueue(new Uint8Array(65_536).fill(32));
          else if (ends) controller.close();
          else return new Promise<void>(() => {});
          return undefined;
        },
      });
      const init: RequestInit & { readonly duplex: 'half' } = {
        method: 'POST',
        headers: { ...token, 'content-type': 'application/json' },
        body,
        duplex: 'half',
      };
      expect((await json(`${mock.restUrl}/namespaces`, init)).status).toBe(413);
    });

    describe('faults', () => {
      const namespaces = `${mock.restUrl}/namespaces`;
      const { pathname } = new URL(namespaces);
      const ask = (url: string = namespaces): ReturnType<typeof json> => json(url, { headers: token });

      it('a platform error for a path, a number of times', async () => {
        mock.faults.add({ kind: 'platform error', code: 522, path: pathname, times: 2 });
        expect((await ask(`${mock.restUrl}/namespaces/default`)).status).toBe(200);
        const replies = [await ask(), await ask(), await ask()];
        expect(replies.map(({ status }) => status)).toEqual([522, 522, 200]);
        expect(replies[0]?.headers.get('content-type')).toMatch(/json|html/);
        expect(mock.faults.current).toEqual([]);
      });

      it('a rate limit with Retry-After, in the form of each area', async () => {
        mock.faults.add({ kind: 'rate limit', retryAfter: 7 });
        const remote = mock.store.remote('notes');
        const secret = (await mock.store.createToken('notes', { scope: 'read' })).split('?')[0];
        const urls: readonly (readonly [string, string])[] = [
          [namespaces, 'any'],
          ['https://api.example.test/v4/accounts/local/tags/keys', 'any'],
          ['https://api.example.test/cdn-cgi/error/522', 'any'],
          [`${remote}/info/refs?service=git-upload-pack`, secret ?? ''],
        ];
        for (const [url, bearer] of urls) {
          const response = await fetch(url, { headers: { authorization: `Bearer ${bearer}` } });
          expect([url, response.status, response.headers.get('retry-after')]).toEqual([url, 429, '7']);
        }
        expect((await json(namespaces)).status).toBe(401);
      });

      it('a dropped connection, before or after the service handles the request', async () => {
        const url = `${mock.restUrl}/namespaces`;
        const create = (namespace: string): Promise<Response> =>
          fetch(url, {
            method: 'POST',
            headers: { ...token, 'content-type': 'application/json' },
            body: JSON.stringify({ namespace }),
          });
        mock.faults.add(
          { kind: 'dropped connection', method: 'POST', times: 1 },
          { kind: 'dropped connection', method: 'POST', lost: 'reply', times: 1 },
        );
        await expect(create('first')).rejects.toThrow(TypeError);
        await expect(create('second')).rejects.toThrow(TypeError);
        const names = (await mock.store.inspect.namespaces()).map(({ namespace }) => namespace);
        expect([names.includes('first'), names.includes('second')]).toEqual([false, true]);
      });

      it('an expired token', async () => {
        mock.faults.add({ kind: 'expired token', token: 'old' });
        expect((await json(namespaces, { headers: { authorization: 'Bearer old' } })).status).toBe(401);
        expect((await ask()).status).toBe(200);
        const repoToken = await mock.store.createToken('notes');
        const advertisement = async (): Promise<number> => {
          const authorization = `Basic ${btoa(`x:${repoToken.split('?')[0]}`)}`;
          const url = `${mock.store.remote('notes')}/info/refs?service=git-upload-pack`;
          return (await fetch(url, { headers: { authorization } })).status;
        };
        expect(await advertisement()).toBe(200);
        mock.faults.add({ kind: 'expired token', token: repoToken });
        expect(await advertisement()).toBe(403);
      });

      it('a page that changes while the list is read', async () => {
        const repos = `${mock.restUrl}/namespaces/default/repos`;
        mock.faults.add({
          kind: 'changed page',
          path: new URL(repos).pathname,
          times: 1,
          add: { repos: { later: {} } },
          remove: ['notes'],
        });
        const names = async (): Promise<unknown> =>
          ((await ask(repos)).body.result as readonly { name: string }[]).map((repo) => repo.name);
        expect([await names(), await names()]).toEqual([['notes'], ['later']]);
      });

      it('latency delays and changes nothing else', async () => {
        mock.faults.add({ kind: 'latency', milliseconds: 1, times: 1 });
        expect((await ask()).status).toBe(200);
        expect(mock.faults.current).toEqual([]);
      });
    });
  });
}
