/** LIM-059 for fetches: what they need of the memory of all requests, told by the engine itself. */

import {
  createGitEngine,
  NotEnoughMemoryError,
  uploadPack,
  type GitEngine,
  type UploadPackReply,
} from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { copyingDelta } from '@packhouse/conformance/tools/copying-delta';
import { blob, commit, pack, packEntry, packOfEntries, tree } from '@packhouse/conformance/tools/made-objects';
import { noise } from '@packhouse/conformance/tools/noise';
import { readPack } from '@packhouse/conformance/tools/pack-contents';
import {
  commandBody,
  fetchBody,
  packet,
  packOf,
  post,
  push,
  pushBody,
  set,
} from '@packhouse/conformance/tools/wire-client';
import { FaultyFileSystem } from '@packhouse/storage/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openUnderFaults, packsFolder, type RepositoryUnderFaults } from '../support/repository-under-faults.ts';
import { makeFolder, removeFolder, startTestServer } from '../support/test-server.ts';

const mebibyte = 1024 * 1024;
const main = 'refs/heads/main';

const text = blob(noise(9 * mebibyte, 5));
const changed = blob(Buffer.concat([text.body, Buffer.from('and a little more\n')]));
const small = blob('small\n');
const firstTree = tree({ small, text });
const first = commit('first', firstTree);
const secondTree = tree({ small, text: changed });
const second = commit('second', secondTree, [first]);

let folder: string;
let repository: RepositoryUnderFaults;

beforeAll(async () => {
  folder = makeFolder();
  repository = await openUnderFaults({
    dataDir: folder,
    fileSystem: new FaultyFileSystem({ folders: [packsFolder(folder)] }),
  });
  const delta = packEntry(7, copyingDelta(text.body, changed.body), Buffer.from(text.oid, 'hex'));
  const objects = [
    packEntry(1, second.body),
    packEntry(2, secondTree.body),
    packEntry(1, first.body),
    packEntry(2, firstTree.body),
    packEntry(3, small.body),
    packEntry(3, text.body),
    delta,
  ];
  const sent = pushBody([set(main, second)], packOfEntries(objects));
  expect(await repository.push(sent)).toEqual(['unpack ok', `ok ${main}`]);
});

afterAll(() => {
  repository.close();
  removeFolder(folder);
});

function engineOf(memory: number): GitEngine {
  return createGitEngine({ codec: nodeCodec(), memory, pageCache: mebibyte, wait: async () => {} });
}

async function ask(
  engine: GitEngine,
  body: Uint8Array,
  memoryMax = Infinity,
  version: 0 | 2 = 2,
  ended?: () => void,
): Promise<UploadPackReply> {
  const snapshot = await repository.repo.state.snapshot();
  if (snapshot === undefined) throw new Error('no snapshot');
  const pieces = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536);
    } finally {
      ended?.();
    }
  };
  return uploadPack(engine, repository.repo, snapshot, pieces(), {
    version,
    hiddenRefs: [],
    bodyMax: 16 * mebibyte,
    memoryMax,
    keepAlive: 60_000,
    failed: (error) => expect.unreachable(String(error)),
  });
}

async function bytesOf({ body }: UploadPackReply): Promise<Buffer> {
  return Buffer.from(await new Response(body as BodyInit).arrayBuffer());
}

const haves = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => i.toString(16).padStart(40, '0'));

describe('LIM-059: an object that is sent whole since the client has no base for it', () => {
  const wants = fetchBody([changed.oid], []);
  // The base and the object, a delta of next to nothing, and what compressing leaves.
  const needed = 2 * changed.body.length - 8 * mebibyte;

  it('is paid for before the reply begins, and given back after it', async () => {
    const engine = engineOf(64 * mebibyte);
    const reply = await ask(engine, wants);
    expect(engine.admission.reserved).toBeGreaterThan(needed);
    const { objects } = readPack(packOf(await bytesOf(reply)));
    expect([...objects.keys()]).toEqual([changed.oid]);
    expect(engine.admission.reserved).toBeLessThanOrEqual(mebibyte);
  });

  it('is refused where there is no room for it, and only it', async () => {
    const engine = engineOf(needed + 2 * mebibyte);
    await expect(ask(engine, wants)).rejects.toThrow(NotEnoughMemoryError);
    expect(engine.admission.reserved).toBeLessThanOrEqual(mebibyte);
    const { objects } = readPack(packOf(await bytesOf(await ask(engine, fetchBody([small.oid, text.oid], [])))));
    expect([...objects.keys()].sort()).toEqual([small.oid, text.oid].sort());
  });

  it('costs nothing where its base is sent with it, or held by a client that takes thin packs', async () => {
    const engine = engineOf(64 * mebibyte);
    for (const body of [
      fetchBody([second.oid], []),
      fetchBody([second.oid, changed.oid], [], []),
      fetchBody([second.oid], [first.oid], ['thin-pack', 'ofs-delta']),
    ]) {
      const reply = await ask(engine, body);
      expect(engine.admission.reserved).toBeLessThan(needed);
      await bytesOf(reply);
    }
    const reply = await ask(engine, fetchBody([second.oid], [first.oid]));
    expect(engine.admission.reserved).toBeGreaterThan(needed);
    await bytesOf(reply);
  });
});

it('LIM-059: a body that cannot be let go of keeps nothing, and is no failure of what was asked before its end', async () => {
  const engine = engineOf(64 * mebibyte);
  const broken = (): never => {
    throw new Error('the connection is gone');
  };
  const reply = await ask(engine, fetchBody([small.oid], []), Infinity, 2, broken);
  expect(packOf(await bytesOf(reply))).toHaveLength(47);
  expect(engine.admission.reserved).toBeLessThanOrEqual(mebibyte);
});

describe('LIM-059: a request with many lines', () => {
  it('reserves memory as it arrives, and is refused when memory is short', async () => {
    const engine = engineOf(12 * mebibyte);
    await bytesOf(await ask(engine, fetchBody([first.oid], haves(50_000))));
    expect(engine.admission.reservedMost).toBeGreaterThan(40 * 50_000 + 3 * mebibyte);
    await expect(ask(engine, fetchBody([first.oid], haves(300_000)))).rejects.toThrow(NotEnoughMemoryError);
    expect(engine.admission.reserved).toBeLessThanOrEqual(mebibyte);
    const asked = haves(300_000).map((oid) => `oid ${oid}`);
    await expect(ask(engine, commandBody('object-info', asked))).rejects.toThrow(NotEnoughMemoryError);
    const prefixes = asked.map((line) => `ref-prefix ${line}`);
    // From 65,536 prefixes on they count as none.
    const tight = engineOf(5 * mebibyte);
    await expect(ask(tight, commandBody('ls-refs', prefixes.slice(0, 60_000)))).rejects.toThrow(NotEnoughMemoryError);
    expect(packOf(await bytesOf(await ask(engine, fetchBody([small.oid], []))))).toHaveLength(47);
  });

  it('is refused above the memory of one request, even if other memory is free', async () => {
    const engine = engineOf(Infinity);
    await expect(ask(engine, fetchBody([first.oid], haves(300_000)), 8 * mebibyte)).rejects.toThrow(
      NotEnoughMemoryError,
    );
    await bytesOf(await ask(engine, fetchBody([first.oid], haves(20_000)), 8 * mebibyte));
    expect([0, mebibyte]).toContain(engine.admission.reserved);
  });
});

describe('LIM-057: a body just under the limit is served with the memory that one request has by default', () => {
  const onWorkers = 56 * mebibyte;
  const lines = (line: string, size = line.length + 4): string =>
    `${size.toString(16).padStart(4, '0')}${line}`.repeat(Math.floor((16 * mebibyte - 500) / size));
  const bodyOf = (...parts: readonly (string | Buffer)[]): Buffer => Buffer.from(parts.join(''));
  const v2 = (name: string, ...args: readonly (string | Buffer)[]): Buffer =>
    bodyOf(packet(`command=${name}`), '0001', ...args, '0000');

  it.each([
    ['unknown haves', (): Buffer => v2('fetch', packet(`want ${small.oid}`), lines(`have ${'f'.repeat(40)}`))],
    ['common haves', (): Buffer => v2('fetch', packet(`want ${small.oid}`), lines(`have ${second.oid}`))],
    ['wants', (): Buffer => v2('fetch', lines(`want ${small.oid}`), packet('done'))],
    ['shallow lines', (): Buffer => v2('fetch', packet(`want ${small.oid}`), lines(`shallow ${first.oid}`))],
    ['ids to tell of', (): Buffer => v2('object-info', packet('size'), lines(`oid ${small.oid}`))],
    ['refs to leave out', (): Buffer => v2('fetch', packet(`want ${second.oid}`), lines('deepen-not none'))],
    ['prefixes to list', (): Buffer => v2('ls-refs', lines(`ref-prefix refs/heads/${'x'.repeat(40)}`))],
  ])('%s in version 2', async (_, body) => {
    const engine = engineOf(192 * mebibyte);
    const whole = body();
    expect(whole.length).toBeGreaterThan(16 * mebibyte - 1000);
    const reply = await bytesOf(await ask(engine, whole, onWorkers));
    expect(reply.length).toBeGreaterThanOrEqual(4);
    expect(engine.admission.reserved).toBeLessThanOrEqual(mebibyte);
  });

  it.each([
    ['multi_ack_detailed', first.oid],
    ['no-done', 'f'.repeat(40)],
  ])('haves in version 0, with %s', async (words, oid) => {
    const engine = engineOf(192 * mebibyte);
    const body = bodyOf(packet(`want ${second.oid} ${words} ofs-delta`), '0000', lines(`have ${oid}`), '0000');
    const reply = await bytesOf(await ask(engine, body, onWorkers, 0));
    expect(reply.toString('latin1').endsWith('0008NAK\n')).toBe(true);
    expect(engine.admission.reserved).toBeLessThanOrEqual(mebibyte);
  });
});

it('GIT-060, GIT-100: checks once if an object is visible, even if a request names it many times', async () => {
  const engine = engineOf(64 * mebibyte);
  await bytesOf(await ask(engine, fetchBody([small.oid], [])));
  const newest = (await repository.repo.state.snapshot())?.packs.at(-1);
  const set = newest === undefined ? undefined : engine.sets.get(newest);
  if (set === undefined) throw new Error('the graph is not there any more');
  const looked = vi.spyOn(set.introducers, 'hasIntroducer');
  const many = Array.from({ length: 1000 }, () => [small.oid, text.oid]).flat();
  await bytesOf(await ask(engine, commandBody('object-info', ['size', ...many.map((oid) => `oid ${oid}`)])));
  expect(looked).toHaveBeenCalledTimes(2);
  await bytesOf(await ask(engine, fetchBody(many, [])));
  expect(looked).toHaveBeenCalledTimes(4);
});

it.each([8_000_000, 20_000])(
  'LIM-059: a service tells a client so with 413, and goes on, with %i bytes',
  async (max) => {
    const server = await startTestServer({ settings: { request_memory_max: max } });
    try {
      const repo = await server.createRepo('bounded');
      const tiny = commit('tiny', tree({ small }));
      expect((await push(repo, [set(main, tiny)], pack(tiny, tree({ small }), small)))[0]).toBe('unpack ok');
      const { status, body } = await post(repo, fetchBody([tiny.oid], haves(300_000)));
      const told = new RegExp(`^not enough memory: \\d+ bytes, limit ${max} \\(request_memory_max\\)$`);
      expect([status, body.toString()]).toEqual([413, expect.stringMatching(told)]);
      expect(packOf((await post(repo, fetchBody([tiny.oid], []))).body).readUInt32BE(8)).toBe(3);
      expect(server.failures).toEqual([]);
    } finally {
      await server.close();
    }
  },
);
