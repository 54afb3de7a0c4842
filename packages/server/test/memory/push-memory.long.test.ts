/** LIM-059 for pushes: what they hold of the memory of all requests while they come in, and while they are checked. */

import { createGitEngine, receivePack, type GitEngine, type GitEngineOptions } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { copyingDelta } from '@packhouse/conformance/tools/copying-delta';
import { blob, change, commit, pack, packEntry, packOfEntries, tree } from '@packhouse/conformance/tools/made-objects';
import { noise } from '@packhouse/conformance/tools/noise';
import { pushBody, reportOf, set } from '@packhouse/conformance/tools/wire-client';
import { FaultyFileSystem } from '@packhouse/storage/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openUnderFaults, packsFolder, type RepositoryUnderFaults } from '../support/repository-under-faults.ts';
import { makeFolder, removeFolder } from '../support/test-server.ts';

const mebibyte = 1024 * 1024;
const pages = 64 * 1024;

let folder: string;
let repository: RepositoryUnderFaults;
let pushes = 0;

beforeAll(async () => {
  folder = makeFolder();
  repository = await openUnderFaults({
    dataDir: folder,
    fileSystem: new FaultyFileSystem({ folders: [packsFolder(folder)] }),
  });
});

afterAll(() => {
  repository.close();
  removeFolder(folder);
});

function engineOf(memory: number, options: Partial<GitEngineOptions> = {}): GitEngine {
  return createGitEngine({ codec: nodeCodec(), memory, pageCache: pages, ...options });
}

async function push(engine: GitEngine, body: AsyncIterable<Uint8Array>): Promise<string[]> {
  const snapshot = await repository.repo.state.snapshot();
  if (snapshot === undefined) throw new Error('no snapshot');
  const reply = await receivePack(engine, repository.repo, snapshot, body, {
    hiddenRefs: [],
    denyDeleteDefault: false,
    denyNonFastForward: false,
    strictObjects: true,
    blobMax: 64 * mebibyte,
    objectMax: 64 * mebibyte,
    memoryMax: 64 * mebibyte,
    chainDepthMax: 4_095,
    chainMax: 2 ** 31,
    commitMax: 1 << 20,
    commitParentsMax: 1024,
    inflatedMax: 2 ** 32,
    graphMax: 1 << 24,
    repoStorageMax: 1024 * mebibyte,
    accountStorageLeft: async () => 1024 * mebibyte,
    pushId: `memory-${pushes++}`,
    now: () => Date.now(),
    bodyMax: 1024 * mebibyte,
    keepAlive: 60_000,
    committed: async () => undefined,
    failed: (error) => expect.unreachable(String(error)),
  });
  return reportOf(Buffer.from(await new Response(reply as BodyInit).arrayBuffer()));
}

const tooLarge: unknown = expect.stringMatching(/^unpack not enough memory: \d+ bytes, limit \d+ \(memory_max\)$/);

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += 65_536) yield body.slice(at, at + 65_536);
}

it('LIM-059: clients that send slowly hold what they have sent, and a little', async () => {
  const engine = engineOf(12 * mebibyte);
  let goOn: () => void = () => {};
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  let waiting = 0;
  const slowly = async function* (body: Uint8Array): AsyncGenerator<Uint8Array> {
    yield body.slice(0, -30);
    waiting++;
    await gate;
    yield body.slice(-30);
  };
  const made = Array.from({ length: 30 }, (_, i) => change(`slow ${i}`));
  const results = made.map((one, i) =>
    push(engine, slowly(pushBody([set(`refs/heads/slow-${i}`, one)], pack(...one.all)))),
  );
  // Each is asked for more when it was taken in so far.
  while (waiting < made.length) await new Promise((resolve) => setImmediate(resolve));
  expect(engine.admission.reserved).toBeLessThan(9 * mebibyte);
  const quick = change('quick');
  const sent = pushBody([set('refs/heads/quick', quick)], pack(...quick.all));
  expect(await push(engine, once(sent))).toEqual(['unpack ok', 'ok refs/heads/quick']);
  goOn();
  for (const [i, result] of results.entries()) expect(await result).toEqual(['unpack ok', `ok refs/heads/slow-${i}`]);
  expect(engine.admission.reserved).toBeLessThanOrEqual(pages);
});

it('LIM-059: a push reserves memory for the stored bases of its deltas, or is refused', async () => {
  const base = blob(noise(9 * mebibyte, 3));
  const changed = blob(Buffer.concat([base.body, Buffer.from('more\n')]));
  const first = commit('first', tree({ base }));
  const second = commit('second', tree({ changed }), [first]);
  const main = 'refs/heads/main';
  expect(await push(engineOf(Infinity), once(pushBody([set(main, first)], pack(first, tree({ base }), base))))).toEqual(
    ['unpack ok', `ok ${main}`],
  );
  const thin = pushBody(
    [set(main, second, first)],
    packOfEntries([
      packEntry(7, copyingDelta(base.body, changed.body), Buffer.from(base.oid, 'hex')),
      packEntry(2, tree({ changed }).body),
      packEntry(1, second.body),
    ]),
  );
  const small = engineOf(8 * mebibyte, { wait: async () => {} });
  expect(await push(small, once(thin))).toEqual([tooLarge, `ng ${main} not enough memory`]);
  expect(small.admission.reserved).toBeLessThanOrEqual(pages);
  const engine = engineOf(64 * mebibyte);
  expect(await push(engine, once(thin))).toEqual(['unpack ok', `ok ${main}`]);
  // The base is read, which does not compress, and kept, and the object is made.
  expect(engine.admission.reservedMost).toBeGreaterThan(3 * base.body.length);
});

it('LIM-059: tables of the repository that no cache keeps are paid for as long as the push needs them', async () => {
  const blobs = Array.from({ length: 3_000 }, (_, i) => blob(`${i}\n`));
  const root = tree(Object.fromEntries(blobs.map((one, i) => [`f${String(i).padStart(4, '0')}`, one])));
  const wide = commit('wide', root);
  const sent = once(pushBody([set('refs/heads/wide', wide)], pack(wide, root, ...blobs)));
  expect((await push(engineOf(Infinity), sent))[0]).toBe('unpack ok');
  /**
   * Most that was taken for one push whose pack is small, or has so many objects that it takes more once that is known.
   */
  const most = async (engine: GitEngine, branch: string, objects: number): Promise<number> => {
    const more = Array.from({ length: objects }, (_, i) => blob(`${branch} ${i}\n`));
    const one = change(branch);
    const body = pushBody([set(`refs/heads/${branch}`, one)], pack(...one.all, ...more));
    expect((await push(engine, once(body)))[0]).toBe('unpack ok');
    return engine.admission.reservedMost;
  };
  // Of each object 21 bytes in the graph, and 32 in the index.
  const tables = 53 * 3_000;
  for (const objects of [10, 17_000]) {
    const keeping = await most(engineOf(Infinity), `kept-${objects}`, objects);
    const forgetting = await most(engineOf(Infinity, { cache: 1024 }), `lost-${objects}`, objects);
    expect(forgetting - keeping, `${objects} objects`).toBeGreaterThan(tables);
  }
});

it('LIM-059: many shallow lines and commands are paid for, or the push is refused', async () => {
  const lines = Array.from({ length: 100_000 }, (_, i) => `0034shallow ${i.toString(16).padStart(40, '0')}`).join('');
  const told = change('told');
  const body = (branch: string): Uint8Array =>
    Buffer.concat([Buffer.from(lines), pushBody([set(`refs/heads/${branch}`, told)], pack(...told.all))]);
  const small = engineOf(8 * mebibyte, { wait: async () => {} });
  const refused = [tooLarge, 'ng refs/heads/told not enough memory'];
  expect(await push(small, once(body('told')))).toEqual(refused);
  expect(small.admission.reserved).toBeLessThanOrEqual(pages);
  const engine = engineOf(64 * mebibyte);
  expect(await push(engine, once(body('told')))).toEqual(['unpack ok', 'ok refs/heads/told']);
  expect(engine.admission.reservedMost).toBeGreaterThan(100_000 * 100);
  expect(engine.admission.reserved).toBeLessThanOrEqual(pages);

  const many = Array.from({ length: 5_000 }, (_, i) => set(`refs/heads/many-${i}`, told));
  const report = await push(engineOf(2 * mebibyte, { wait: async () => {} }), once(pushBody(many, pack())));
  expect(report.slice(0, 2)).toEqual([tooLarge, 'ng refs/heads/many-0 not enough memory']);
});

it('GIT-153: a push that ends while it waits for memory holds no pack of the repository', async () => {
  const engine = engineOf(mebibyte, {
    wait: async () => {
      throw new Error('ended');
    },
  });
  await engine.admission.reserve(mebibyte - pages, false);
  const packs = (await repository.repo.state.snapshot())?.packs ?? [];
  expect(packs.length).toBeGreaterThan(0);
  const late = change('late');
  await expect(push(engine, once(pushBody([set('refs/heads/late', late)], pack(...late.all))))).rejects.toThrow(
    'ended',
  );
  for (const { id } of packs) expect(engine.leases.has(id)).toBe(false);
});
