/**
 * This server saves work by sending stored packs unchanged. Other implementations may encode the objects differently.
 */

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
import { copyingDelta } from '@packhouse/conformance/tools/copying-delta';
import { noise } from '@packhouse/conformance/tools/noise';
import { takePack } from '@packhouse/conformance/tools/taken-pack';
import { fetchBody, packOf, post, push, set } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

const main = 'refs/heads/main';
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

async function fetched(
  repo: TestRepo,
  want: MadeObject,
  haves: readonly MadeObject[] = [],
  words: readonly string[] = ['ofs-delta'],
): Promise<Buffer> {
  const had = haves.map(({ oid }) => oid);
  return packOf((await post(repo, fetchBody([want.oid], had, words))).body);
}

it('a pack in files goes out byte for byte when all of it is wanted', async () => {
  const repo = await server.createRepo('exact');
  // Too large for rows.
  const large = blob(noise(1_700_000, 3));
  const first = commit('first', tree({ large }));
  const second = change('second', first);
  const stored = pack(large, tree({ large }), first, ...second.all);
  expect(await push(repo, [set(main, second)], stored)).toContain(`ok ${main}`);
  expect((await fetched(repo, second)).equals(stored)).toBe(true);
});

it('GIT-067: deltas stay deltas where their bases are sent, or the client has them and takes thin packs', async () => {
  const repo = await server.createRepo('deltas');
  const texts = [0, 1, 2].map((version) => blob(`${noise(3_000, 5).toString('base64')}\nversion ${version}\n`));
  const commits: MadeObject[] = [];
  for (const [i, text] of texts.entries()) {
    const root = tree({ text });
    const [old] = commits.slice(-1);
    const value = commit(`version ${i}`, root, commits.slice(-1));
    const base = texts[i - 1];
    const entry =
      base === undefined
        ? packEntry(3, text.body)
        : packEntry(7, copyingDelta(base.body, text.body), Buffer.from(base.oid, 'hex'));
    const bytes = packOfEntries([packEntry(1, value.body), packEntry(2, root.body), entry]);
    expect(await push(repo, [set(main, value, old)], bytes)).toContain(`ok ${main}`);
    commits.push(value);
  }
  const [first, second, third] = commits as [MadeObject, MadeObject, MadeObject];
  const types = async (have: MadeObject | undefined, ...words: readonly string[]): Promise<number[]> => {
    const bytes = await fetched(repo, third, have === undefined ? [] : [have], words);
    return takePack(bytes)
      .map(({ type }) => type)
      .filter((type) => type > 2)
      .sort();
  };
  expect(await types(second, 'ofs-delta')).toEqual([3]);
  expect(await types(second, 'ofs-delta', 'thin-pack')).toEqual([7]);
  expect(await types(undefined, 'ofs-delta')).toEqual([3, 6, 6]);
  expect(await types(undefined)).toEqual([3, 7, 7]);
  expect(await types(first, 'ofs-delta')).toEqual([3, 6]);
  expect(await types(first, 'ofs-delta', 'thin-pack')).toEqual([6, 7]);
});
