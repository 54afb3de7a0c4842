/**
 * GIT-061, LIM-065: what refs have left a moment ago, for stock clients that are overtaken and for requests made by
 * hand.
 */

import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  blob,
  change,
  commit,
  insertingDelta,
  pack,
  packEntry,
  packOfEntries,
  tree,
} from '@packhouse/conformance/tools/made-objects';
import {
  commandBody,
  fetchBody,
  linesOf,
  listedRefs,
  packOf,
  post,
  push,
  remove,
  set,
  uploadBody,
} from '@packhouse/conformance/tools/wire-client';
import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { createHosting, neutral } from '@packhouse/hosting';
import { createService, gitFace } from '@packhouse/router';
import { memoryCatalogs, memoryRepos } from '@packhouse/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { git, tryGit } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

const main = 'refs/heads/main';
const base = change('base');
const old = change('old', base);
const moved = change('moved', base);
const all = [...base.all, ...old.all, ...moved.all];

let server: TestServer;
let folder: string;
let repo: TestRepo;
let numbers = 0;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

beforeEach(async () => {
  await server.restart({ settings: {} });
  repo = await server.createRepo(`repo-${numbers++}`);
  const refs = [set(main, old), set('refs/heads/base', base), set('refs/heads/moved', moved)];
  expect((await push(repo, refs, pack(...all)))[0]).toBe('unpack ok');
});

async function forcePush(): Promise<void> {
  expect(await push(repo, [set(main, moved, old)], pack())).toEqual(['unpack ok', `ok ${main}`]);
}

/** Sends a want in each protocol version. Returns the number of objects received, or the error message. */
async function wanted(oid: string): Promise<readonly (number | string)[]> {
  const bodies = [
    [0, uploadBody([oid], [], 'ofs-delta')],
    [1, uploadBody([oid], [], 'ofs-delta')],
    [2, fetchBody([oid], [])],
  ] as const;
  return Promise.all(
    bodies.map(async ([version, body]) => {
      const reply = await post(repo, body, { version });
      const [first] = linesOf(reply.body.subarray(0, Number.parseInt(reply.body.toString('latin1', 0, 4), 16)));
      if (first?.startsWith('ERR ') === true) return first;
      return (version === 2 ? packOf(reply.body) : reply.body.subarray(8)).readUInt32BE(8);
    }),
  );
}

const refused = (oid: string): readonly string[] =>
  Array.from({ length: 3 }, () => `ERR upload-pack: not our ref ${oid}`);

describe('GIT-061: a want of what a ref has left', () => {
  it('is served in every version, with all it reaches, also by the ids of its objects', async () => {
    await forcePush();
    expect(await wanted(old.oid)).toEqual([6, 6, 6]);
    expect(await wanted(old.root.oid)).toEqual([2, 2, 2]);
    expect(await wanted(old.file.oid)).toEqual([1, 1, 1]);
  });

  it('is served after the ref was deleted, and after a restart', async () => {
    await push(repo, [remove(main, old)]);
    await server.restart();
    expect(await wanted(old.oid)).toEqual([6, 6, 6]);
  });

  it('LIM-065: is refused without a time of grace', async () => {
    await forcePush();
    await server.restart({ settings: { stale_want_grace: 0 } });
    for (const { oid } of old.all) expect(await wanted(oid)).toEqual(refused(oid));
    expect(await wanted(base.oid)).toEqual([3, 3, 3]);
  });

  it('GIT-129: is refused if the ref is hidden now, even if it was visible when it moved', async () => {
    await forcePush();
    await server.restart({ settings: { hidden_refs: [main] } });
    for (const { oid } of old.all) expect(await wanted(oid)).toEqual(refused(oid));
    await server.restart({ settings: { hidden_refs: ['refs/heads/ma'] } });
    expect(await wanted(old.oid)).toEqual([6, 6, 6]);
  });

  it('leaves everything else as it was: lists, want-ref, object-info and deepen-not know nothing of it', async () => {
    await push(repo, [remove(main, old)]);
    expect(await listedRefs(repo)).toEqual({
      HEAD: 'unborn symref-target:refs/heads/main',
      'refs/heads/base': base.oid,
      'refs/heads/moved': moved.oid,
    });
    const fetched = async (...words: readonly string[]): Promise<readonly string[]> =>
      linesOf((await post(repo, commandBody('fetch', words))).body);
    expect(await fetched(`want-ref ${main}`, 'done')).toEqual([`ERR unknown ref ${main}`]);
    for (const not of [main, 'main']) {
      const refused = ['ERR no commits selected for shallow requests'];
      expect(await fetched(`want ${moved.oid}`, `deepen-not ${not}`, 'done')).toEqual(refused);
    }
    const asked = [...old.all, base].map(({ oid }) => `oid ${oid}`);
    expect(linesOf((await post(repo, commandBody('object-info', ['size', ...asked]))).body)).toEqual([
      'size',
      ...old.all.map(({ oid }) => `${oid} `),
      `${base.oid} ${base.body.length}`,
      'flush',
    ]);
  });

  it('GIT-064, GIT-129: a have and a push lean on what no ref reaches whether there is a time of grace or not', async () => {
    await forcePush();
    const above = change('above', old);
    const based = blob('made of what was left\n');
    const inside = tree({ based });
    const around = commit('around', inside, [base]);
    const delta = packEntry(7, insertingDelta(old.file.body.length, based.body), Buffer.from(old.file.oid, 'hex'));
    for (const settings of [{}, { stale_want_grace: 0 }]) {
      await server.restart({ settings });
      const have = await post(repo, commandBody('fetch', [`want ${moved.oid}`, `have ${old.oid}`]));
      expect(linesOf(have.body).slice(0, 2)).toEqual(['acknowledgments', `ACK ${old.oid}`]);
      const pushes = [
        [above, pack(...above.all)],
        [around, packOfEntries([delta, packEntry(2, inside.body), packEntry(1, around.body)])],
      ] as const;
      for (const [value, sent] of pushes) {
        expect(await push(repo, [set('refs/heads/leaning', value)], sent)).toEqual([
          'unpack ok',
          'ok refs/heads/leaning',
        ]);
        await push(repo, [remove('refs/heads/leaning', value)]);
      }
    }
  });
});

describe('GIT-061: a stock client that is overtaken by a forced push', () => {
  it.each([
    ['0', ['fetch']],
    ['1', ['fetch']],
    ['2', ['fetch']],
    // Not in version 2: there the client wants refs by name, but then checks out the earlier value, which is its own
    // bug.
    ['0', ['clone']],
  ])('in version %s goes on with its %s', async (version, [command]) => {
    const path = join(folder, `overtaken-${numbers++}`);
    const overtaking = await overtake(forcePush);
    try {
      const args = ['-c', `protocol.version=${version}`, ...repo.auth];
      if (command === 'clone') args.push('clone', '--quiet', overtaking.remote, path);
      else {
        await git(['init', '-q', path]);
        args.push('fetch', '--quiet', overtaking.remote, '+refs/heads/*:refs/remotes/origin/*');
      }
      const { status, stderr } = await tryGit(args, command === 'clone' ? {} : { cwd: path });
      expect([status, stderr]).toEqual([0, '']);
      expect(overtaking.done()).toBe(true);
      await git(['fsck', '--strict', '--no-dangling'], { cwd: path });
      const tip = (await git(['rev-parse', 'refs/remotes/origin/main'], { cwd: path })).trim();
      // Version 2 asks for the ref by its name, and so gets its new value.
      expect(tip).toBe(version === '2' ? moved.oid : old.oid);
    } finally {
      overtaking.close();
    }
  });
});

interface Overtaking {
  readonly remote: string;
  readonly done: () => boolean;
  readonly close: () => void;
}

/** Passes requests on to the server, and does something before the first one that asks for a pack. */
async function overtake(act: () => Promise<void>): Promise<Overtaking> {
  const target = new URL(repo.remote);
  let acted = false;
  const proxy = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const body = Buffer.concat(chunks);
      if (!acted && body.includes('want')) {
        acted = true;
        await act();
      }
      const options = { host: target.hostname, port: target.port, method: incoming.method, path: incoming.url };
      const passed = httpRequest({ ...options, headers: incoming.headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(outgoing);
      });
      passed.end(body);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    remote: `http://127.0.0.1:${port}${target.pathname}`,
    done: () => acted,
    close() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}

describe('LIM-065: the time of grace', () => {
  it.each([
    [{}, 600_000],
    [{ stale_want_grace: 7 }, 7_000],
  ])('is that of the settings %j, by the clock of the service', async (settings, grace) => {
    let now = 1_700_000_000_000;
    const catalogs = memoryCatalogs();
    const engine = createGitEngine({ codec: nodeCodec() });
    const hosting = createHosting({
      engine,
      dialect: neutral,
      catalog: catalogs,
      storage: memoryRepos(),
      clock: { now: () => now },
      authorizer: { authorize: async () => [{ account: 'local', permission: neutral.permissions.edit }] },
      settings: { public_url: 'http://127.0.0.1', ...settings },
    });
    const report = (error: unknown): never => {
      throw error;
    };
    const service = createService({ hosting, git: gitFace({ hosting, engine, report }) });
    const local = (url: string, init?: RequestInit): Promise<Response> => service(new Request(url, init));
    const made = await local('http://127.0.0.1/v4/accounts/local/repos/namespaces/default/repos', {
      method: 'POST',
      headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'clocked' }),
    });
    const { result } = (await made.json()) as { result: { remote: string; token: string } };
    const clocked = { ...result, fetch: local };
    expect((await push(clocked, [set(main, old)], pack(...all)))[0]).toBe('unpack ok');
    expect(await push(clocked, [set(main, base, old)], pack())).toEqual(['unpack ok', `ok ${main}`]);
    const fetched = async (): Promise<string> =>
      linesOf((await post(clocked, fetchBody([old.oid], []))).body)[0] as string;
    now += grace;
    expect(await fetched()).toBe('packfile');
    now += 1;
    expect(await fetched()).toBe(`ERR upload-pack: not our ref ${old.oid}`);
  });
});
