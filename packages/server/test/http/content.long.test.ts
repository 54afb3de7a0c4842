/** Memory and packs that content reads hold and release, which a client cannot see (REPO-152). */

import { createHash } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGitEngine, sliceUnits, type PackId } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { createHosting, neutral, type HostedRepo } from '@packhouse/hosting';
import { createService, gitFace } from '@packhouse/router';
import type { LogRecord } from '@packhouse/base';
import { memoryCatalogs, memoryRepos } from '@packhouse/storage';
import { blob, commit, pack, tree } from '@packhouse/conformance/tools/made-objects';
import { push, set } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createListener } from '../../src/node-http/listener.ts';
import type { TestRepo } from '../support/test-server.ts';

const mebi = 1024 * 1024;
const noise = Buffer.concat(
  Array.from({ length: (8 * mebi) / 64 }, (_, i) => createHash('sha512').update(String(i)).digest()),
);
const large = blob(noise);
const zeros = blob(Buffer.alloc(24 * mebi));
const root = tree({ large, zeros });
const node = commit('files', root);
/** So many entries that their JSON fits into no buffer on the way. */
const entries = 150_000;
const small = blob(Buffer.from('small'));
const folder = tree(
  Object.fromEntries(Array.from({ length: entries }, (_, i) => [`entry ${String(i).padStart(6, '0')}`, small])),
);
const wide = commit('a large folder', folder, [node]);

/** No part of a request is as large. */
const pageCache = 64 * mebi;
const engine = createGitEngine({ codec: nodeCodec(), pageCache });
const http = createServer();
const records: LogRecord[] = [];
let base: string;
let handler: (request: Request) => Promise<Response>;
let packId: PackId;
/** The error of a stream of the store, after `faultAfter` chunks. */
let fault: Error | undefined;
let faultAfter = 1;

beforeAll(async () => {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const storage = memoryRepos();
  const repos: HostedRepo[] = [];
  const hosting = createHosting({
    engine,
    dialect: neutral,
    catalog: memoryCatalogs(),
    storage: {
      repo(account, id, jurisdiction) {
        const repo = failing(storage.repo(account, id, jurisdiction));
        repos.push(repo);
        return repo;
      },
      sharePacks: storage.sharePacks,
    },
    authorizer: { authorize: async () => [{ account: 'local', permission: neutral.permissions.edit }] },
    settings: { public_url: origin },
  });
  const report = (error: unknown): never => {
    throw error;
  };
  handler = createService({
    hosting,
    git: gitFace({ hosting, engine, report }),
    log: (record) => records.push(record),
  });
  const listener = createListener({ handler, fallbackHost: '127.0.0.1' });
  http.on('request', (incoming, outgoing) => listener.serve(incoming, outgoing));
  const repo = await made(`${origin}/v4/accounts/local/repos/namespaces/default/repos`);
  base = `${origin}/v4/accounts/local/repos/namespaces/default/repos/files`;
  const report2 = await push(repo, [set('refs/heads/main', node)], pack(node, root, large, zeros));
  await push(repo, [set('refs/heads/wide', wide)], pack(wide, folder, small));
  expect(report2).toEqual(['unpack ok', 'ok refs/heads/main']);
  const snapshot = await repos.at(-1)?.state.snapshot();
  const [record] = snapshot?.packs ?? [];
  expect(record?.where).toBe('store');
  packId = record?.id as PackId;
});

beforeEach(() => {
  fault = undefined;
  faultAfter = 1;
  records.length = 0;
});

afterAll(() => {
  http.close();
  http.closeAllConnections();
});

async function made(url: string): Promise<Pick<TestRepo, 'remote' | 'token'> & { readonly fetch: typeof fetch }> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'files' }),
  });
  const { result } = (await reply.json()) as { result: { remote: string; token: string } };
  return { remote: result.remote, token: result.token, fetch };
}

function failing({ id, state, packs }: HostedRepo): HostedRepo {
  const stream: typeof packs.stream = async function* (...given) {
    let chunks = 0;
    for await (const chunk of packs.stream(...given)) {
      if (++chunks > faultAfter && fault !== undefined) throw fault;
      yield chunk;
    }
    if (fault !== undefined) throw fault;
  };
  return {
    id,
    state,
    packs: new Proxy(packs, {
      get(target, name) {
        if (name === 'stream') return stream;
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    }),
  };
}

/** Returns the bytes that requests hold, except pages, and if a request holds the pack. */
function held(): readonly [bytes: number, pack: boolean] {
  return [engine.admission.reserved % pageCache, engine.leases.has(packId)];
}

/** Begins to read, and stops. */
function slow(path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${base}${path}`, { headers: { authorization: 'Bearer x' } }, (response) => {
      response.on('error', () => undefined);
      response.once('data', () => resolve(response.pause()));
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('REPO-152: the reply with a large file', () => {
  it.each(['/file?path=large', `/blob/${large.oid}`, '/raw/main/zeros', '/file?path=zeros'])(
    'tells its length and streams, and a client that leaves frees all it held: %s',
    async (path) => {
      const responses = await Promise.all(Array.from({ length: 8 }, () => slow(path)));
      const size = path.includes('zeros') ? zeros.body.length : noise.length;
      expect(responses.map(({ headers }) => headers['content-length'])).toEqual(responses.map(() => String(size)));
      expect(held()[0]).toBeGreaterThan(0);
      expect(held()[0]).toBeLessThanOrEqual(8 * mebi);
      expect(held()[1]).toBe(true);
      for (const response of responses) response.destroy();
      await expect.poll(held).toEqual([0, false]);
      expect(records.filter(({ event }) => event === 'failure')).toEqual([]);
    },
  );

  it.each(['/file?path=large', '/raw/main/large'])('reads nothing for HEAD, nor for 304 and 404: %s', async (path) => {
    faultAfter = 0;
    fault = new Error('nobody shall read');
    const headers = { authorization: 'Bearer x' };
    // Its type hangs on its begin, which one of them tells.
    if (path.startsWith('/file')) {
      const head = await fetch(`${base}${path}`, { method: 'HEAD', headers });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(noise.length)]);
    }
    const have = { ...headers, 'if-none-match': `"${large.oid}"` };
    expect((await fetch(`${base}${path}`, { headers: have })).status).toBe(304);
    expect((await fetch(`${base}${path}/x`, { headers })).status).toBe(404);
    expect(held()).toEqual([0, false]);
    expect(records.filter(({ event }) => event === 'failure')).toEqual([]);
  });

  it('breaks off when the store fails, and the failure is logged', async () => {
    fault = new Error('the store is gone');
    const response = await fetch(`${base}/file?path=large`, { headers: { authorization: 'Bearer x' } });
    await expect(response.arrayBuffer()).rejects.toThrow();
    await expect.poll(held).toEqual([0, false]);
    expect(records.find(({ event }) => event === 'failure')).toMatchObject({ message: 'the store is gone' });
  });

  it('is a 500 when the store fails before its type is known, and frees all it held', async () => {
    faultAfter = 0;
    fault = new Error('the store is gone');
    const response = await fetch(`${base}/raw/main/large`, { headers: { authorization: 'Bearer x' } });
    const { errors } = (await response.json()) as { errors: { code: number }[] };
    expect([response.status, errors[0]?.code]).toEqual([500, 10400]);
    expect(held()).toEqual([0, false]);
  });
});

describe('REPO-145: the list of a large folder', () => {
  const headers = { authorization: 'Bearer x' };

  it('is sent as it is made, in short stretches', async () => {
    engine.scheduler.longestStretch = 0;
    const response = await fetch(`${base}/tree/${folder.oid}`, { headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    const { result, ...others } = (await response.json()) as { result: { name: string; hash: string }[] };
    expect(others).toEqual({ success: true, errors: [], messages: [] });
    expect(result).toHaveLength(entries);
    expect(result[77_777]).toEqual({ name: 'entry 077777', mode: '100644', hash: small.oid, type: 'blob' });
    expect(engine.scheduler.longestStretch).toBeLessThan(2 * sliceUnits);
    expect(held()).toEqual([0, false]);
  });

  it('frees all it held when the client leaves, and reads for HEAD, too', async () => {
    const response = await slow(`/tree/${folder.oid}`);
    expect(held()[0]).toBeGreaterThan(folder.body.length);
    expect(held()[0]).toBeLessThan(4 * folder.body.length);
    response.destroy();
    await expect.poll(held).toEqual([0, false]);
    const head = await fetch(`${base}/tree/${folder.oid}`, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(held()).toEqual([0, false]);
    expect(records.filter(({ event }) => event === 'failure')).toEqual([]);
  });

  it('frees all it held when the client has left before the first entry', async () => {
    const response = await handler(new Request(`${base}/tree/${folder.oid}`, { headers }));
    expect(held()[0]).toBeGreaterThan(folder.body.length);
    await response.body?.cancel();
    expect(held()).toEqual([0, false]);
  });
});
