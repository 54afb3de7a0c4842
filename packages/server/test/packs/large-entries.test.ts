/** Objects that are stored in more bytes than a reply reads at once. */

import { createGitEngine, uploadPack, type PackStore } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { FaultyFileSystem } from '@packhouse/storage/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyingDelta } from '@packhouse/conformance/tools/copying-delta';
import {
  blob,
  change,
  commit,
  pack,
  packEntry,
  packOfEntries,
  tree,
  type MadeObject,
} from '@packhouse/conformance/tools/made-objects';
import { noise } from '@packhouse/conformance/tools/noise';
import { readPack } from '@packhouse/conformance/tools/pack-contents';
import { takePack } from '@packhouse/conformance/tools/taken-pack';
import { fetchBody, packOf, pushBody, set } from '@packhouse/conformance/tools/wire-client';
import { openUnderFaults, packsFolder, type RepositoryUnderFaults } from '../support/repository-under-faults.ts';
import { makeFolder, removeFolder } from '../support/test-server.ts';

const main = 'refs/heads/main';
const windowMax = 256 * 1024;
const inFlight = 2;

const text = blob(noise(3_000, 5));
const longer = blob(Buffer.concat([text.body, noise(4_000_000, 6)]));
const whole = blob(noise(4_000_000, 7));
const firstTree = tree({ text, whole });
const first = commit('first', firstTree);
const secondTree = tree({ text: longer, whole });
const second = commit('second', secondTree, [first]);
const third = change('third', second);

let folder: string;
let repository: RepositoryUnderFaults;

beforeAll(async () => {
  folder = makeFolder();
  repository = await openUnderFaults({
    dataDir: folder,
    fileSystem: new FaultyFileSystem({ folders: [packsFolder(folder)] }),
  });
  const thin = packOfEntries([
    packEntry(1, second.body),
    packEntry(2, secondTree.body),
    packEntry(7, copyingDelta(text.body, longer.body), Buffer.from(text.oid, 'hex')),
  ]);
  const ok = ['unpack ok', `ok ${main}`];
  expect(await repository.push(pushBody([set(main, first)], pack(text, whole, firstTree, first)))).toEqual(ok);
  expect(await repository.push(pushBody([set(main, second, first)], thin))).toEqual(ok);
  expect(await repository.push(pushBody([set(main, third, second)], pack(...third.all)))).toEqual(ok);
});

afterAll(() => {
  repository.close();
  removeFolder(folder);
});

async function fetching(
  haves: readonly MadeObject[],
  words: readonly string[],
  packs: PackStore = repository.repo.packs,
): Promise<ReadableStream<Uint8Array>> {
  const snapshot = await repository.repo.state.snapshot();
  if (snapshot === undefined) throw new Error('no snapshot');
  const body = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    yield fetchBody(
      [third.oid],
      haves.map(({ oid }) => oid),
      words,
    );
  };
  const engine = createGitEngine({ codec: nodeCodec(), reads: { windowMax, inFlight } });
  const reply = await uploadPack(engine, { state: repository.repo.state, packs }, snapshot, body(), {
    version: 2,
    hiddenRefs: [],
    bodyMax: 1_000_000,
    keepAlive: 60_000,
    failed: (error) => expect.unreachable(String(error)),
  });
  return reply.body as ReadableStream<Uint8Array>;
}

it.each([
  ['a clone', [], ['ofs-delta'], [6]],
  ['a clone by ids', [], [], [7]],
  ['a thin fetch', [first], ['ofs-delta', 'thin-pack'], [7]],
  ['a fetch of whole objects', [first], ['ofs-delta'], []],
] as const)('%s gets them as they are', async (_, haves, words, deltas) => {
  const sent = packOf(Buffer.from(await new Response((await fetching(haves, words)) as BodyInit).arrayBuffer()));
  expect(
    takePack(sent)
      .map(({ type }) => type)
      .filter((type) => type > 4),
  ).toEqual(deltas);
  const held = haves.length === 0 ? [] : [text, whole, firstTree, first];
  const { objects } = readPack(sent, held);
  for (const { oid, body } of [longer, ...(haves.length === 0 ? [whole] : [])]) {
    expect(Buffer.compare(objects.get(oid)?.body ?? Buffer.alloc(0), body)).toBe(0);
  }
});

it('LIM-059: no more of one is read than the client has room for', async () => {
  let read = 0;
  const { packs } = repository.repo;
  const counted = new Proxy(packs, {
    get(target, name) {
      if (name === 'stream') {
        return async function* (...range: Parameters<PackStore['stream']>) {
          for await (const chunk of packs.stream(...range)) {
            read += chunk.length;
            yield chunk;
          }
        };
      }
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const reader = (await fetching([], ['ofs-delta'], counted)).getReader();
  let got = 0;
  while (got < 200_000) got += (await reader.read()).value?.length ?? 0;
  // A chunk of the rest may be under way.
  expect(read).toBeLessThanOrEqual((inFlight + 1) * windowMax + 1_048_576);
  await reader.cancel();
});
