/** Which deltas a fetch may lean on what it does not send (GIT-067), where the stored ones came in thin packs. */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, tryGit } from './support/git.ts';
import {
  blob,
  commit,
  insertingDelta,
  pack,
  packEntry,
  packOfEntries,
  tree,
  type MadeObject,
} from '@packhouse/conformance/tools/made-objects';
import { noise } from './support/repository-under-faults.ts';
import { takePack } from '@packhouse/conformance/tools/taken-pack';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from './support/test-server.ts';
import { fetchBody, packOf, post, push, set } from '@packhouse/conformance/tools/wire-client';

const main = 'refs/heads/main';
const texts = [0, 1, 2].map((version) => blob(`${noise(3_000, 5).toString('base64')}\nversion ${version}\n`));
const [first, second, third] = texts.reduce<MadeObject[]>((commits, text) => {
  return [...commits, commit(text.oid, tree({ text }), commits.slice(-1))];
}, []) as [MadeObject, MadeObject, MadeObject];

let server: TestServer;
let folder: string;
let repo: TestRepo;
let clients = 0;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
  repo = await server.createRepo('deltas');
  expect(await push(repo, [set(main, first)], pack(first, treeOf(0), textOf(0)))).toContain(`ok ${main}`);
  // Each version as a delta of the one before, which the pack does not hold.
  for (const [version, value, old] of [
    [1, second, first],
    [2, third, second],
  ] as const) {
    const base = textOf(version - 1);
    const delta = insertingDelta(base.body.length, textOf(version).body);
    const entries = [
      packEntry(1, value.body),
      packEntry(2, treeOf(version).body),
      packEntry(7, delta, Buffer.from(base.oid, 'hex')),
    ];
    expect(await push(repo, [set(main, value, old)], packOfEntries(entries))).toContain(`ok ${main}`);
  }
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

function textOf(version: number): MadeObject {
  return texts[version] as MadeObject;
}

function treeOf(version: number): MadeObject {
  return tree({ text: textOf(version) });
}

/** Types of the entries fetched, and whether stock git takes the pack by itself. */
async function fetched(
  have: MadeObject | undefined,
  words: readonly string[],
): Promise<{ types: number[]; alone: boolean }> {
  const bytes = packOf((await post(repo, fetchBody([third.oid], have === undefined ? [] : [have.oid], words))).body);
  const client = join(folder, `client-${clients++}.git`);
  await git(['init', '--quiet', '--bare', client]);
  const { status } = await tryGit(['index-pack', '--stdin'], { cwd: client, input: bytes });
  const types = takePack(bytes).map(({ type }) => type);
  return { types: types.filter((type) => type > 2).sort(), alone: status === 0 };
}

describe('deltas that came in thin packs', () => {
  it('GIT-067: go to a client that has the base only where it asks for thin packs', async () => {
    expect(await fetched(second, ['ofs-delta'])).toEqual({ types: [3], alone: true });
    expect(await fetched(second, ['ofs-delta', 'thin-pack'])).toEqual({ types: [7], alone: false });
    expect(await fetched(second, ['thin-pack'])).toEqual({ types: [7], alone: false });
    expect(await fetched(second, [])).toEqual({ types: [3], alone: true });
  });

  it('GIT-067: lean on bases that are sent, which lie in other packs', async () => {
    expect(await fetched(undefined, ['ofs-delta'])).toEqual({ types: [3, 6, 6], alone: true });
    expect(await fetched(undefined, [])).toEqual({ types: [3, 7, 7], alone: true });
    expect(await fetched(first, ['ofs-delta'])).toEqual({ types: [3, 6], alone: true });
    expect(await fetched(first, ['ofs-delta', 'thin-pack'])).toEqual({ types: [6, 7], alone: false });
  });
});
