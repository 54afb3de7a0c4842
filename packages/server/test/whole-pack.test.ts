/** When a stored pack may be sent as it lies, and when not: what comes is always just what was asked for (GIT-066). */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git } from './support/git.ts';
import {
  blob,
  change,
  commit,
  made,
  noObject,
  pack,
  packEntry,
  packOfEntries,
  tree,
  type MadeObject,
} from '@packhouse/conformance/tools/made-objects';
import { noise } from './support/repository-under-faults.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from './support/test-server.ts';
import { fetchBody, packOf, post, push, set } from '@packhouse/conformance/tools/wire-client';

let server: TestServer;
let folder: string;
let numbers = 0;

/** Too large for rows: only packs in files are sent as they lie. */
const large = blob(noise(1_700_000, 3));
const root = tree({ large });
const first = commit('first', root);
const second = change('second', first);
const aside = change('aside', first);
const all = [large, root, first, ...second.all];
const main = 'refs/heads/main';

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

async function fetched(
  repo: TestRepo,
  wants: readonly MadeObject[],
  haves: readonly MadeObject[] = [],
  words = ['ofs-delta'],
): Promise<Buffer> {
  const ids = (objects: readonly MadeObject[]): string[] => objects.map(({ oid }) => oid);
  return packOf((await post(repo, fetchBody(ids(wants), ids(haves), words))).body);
}

/** Ids of what stock git finds in a pack. */
async function idsIn(bytes: Buffer): Promise<string[]> {
  const client = join(folder, `client-${numbers++}.git`);
  await git(['init', '--quiet', '--bare', client]);
  await git(['index-pack', '--stdin'], { cwd: client, input: bytes });
  const found = await git(['cat-file', '--batch-check=%(objectname)', '--batch-all-objects'], { cwd: client });
  return found.trim().split('\n');
}

function idsOf(objects: readonly MadeObject[]): string[] {
  return [...new Set(objects.map(({ oid }) => oid))].sort();
}

describe('a repository of one large pack', () => {
  it('is sent as it lies when all of it is wanted', async () => {
    const repo = await server.createRepo('exact');
    const stored = pack(...all);
    expect(await push(repo, [set(main, second)], stored)).toContain(`ok ${main}`);
    expect((await fetched(repo, [second])).equals(stored)).toBe(true);
    expect(await idsIn(await fetched(repo, [second, first]))).toEqual(idsOf(all));
  });

  it('GIT-066: is not, for other wants, fewer wants, or haves', async () => {
    const repo = await server.createRepo('parts');
    const commands = [set(main, second), set('refs/heads/aside', aside)];
    expect(await push(repo, commands, pack(...all, ...aside.all))).toContain('ok refs/heads/aside');
    const base = [large, root, first];
    expect(await idsIn(await fetched(repo, [second, aside]))).toEqual(idsOf([...all, ...aside.all]));
    expect(await idsIn(await fetched(repo, [second]))).toEqual(idsOf(all));
    expect(await idsIn(await fetched(repo, [second, first]))).toEqual(idsOf(all));
    expect(await idsIn(await fetched(repo, [first]))).toEqual(idsOf(base));
    expect(await idsIn(await fetched(repo, [second, aside], [first]))).toEqual(idsOf([...second.all, ...aside.all]));
  });

  it('GIT-129: is not, where hidden refs reach a part of it', async () => {
    const repo = await server.createRepo('hidden');
    const commands = [set(main, second), set('refs/secret/aside', aside)];
    expect(await push(repo, commands, pack(...all, ...aside.all))).toContain(`ok ${main}`);
    await server.restart({ settings: { hidden_refs: ['refs/secret'] } });
    expect(await idsIn(await fetched(repo, [second]))).toEqual(idsOf(all));
    await expect(fetched(repo, [second, aside])).rejects.toThrow(`not our ref ${aside.oid}`);
    await server.restart({ settings: {} });
    expect(await idsIn(await fetched(repo, [second, aside]))).toEqual(idsOf([...all, ...aside.all]));
  });

  it('GIT-066, GIT-153: is not, where no ref reaches a part of it from the start', async () => {
    const junk = blob('nobody’s\n');
    for (const [name, value] of [
      ['a blob', junk],
      ['a commit', aside],
    ] as const) {
      const repo = await server.createRepo(`junk-${value.kind}`);
      const extra = value.kind === 'blob' ? [junk] : aside.all;
      expect(await push(repo, [set(main, second)], pack(...all, ...extra)), name).toEqual(['unpack ok', `ok ${main}`]);
      expect(await idsIn(await fetched(repo, [second])), name).toEqual(idsOf(all));
    }
  });

  it.each([
    ['refused before the commit', set('refs/x', aside)],
    ['stale at the commit', set('refs/heads/aside', aside, first)],
    ['in conflict at the commit', set(`${main}/below`, aside)],
    ['missing something', set('refs/heads/aside', change('over a hole', made('commit', Buffer.alloc(0))))],
  ])('GIT-066, GIT-153: is not, where a command of its push was %s', async (_, command) => {
    const repo = await server.createRepo(`refused-${numbers++}`);
    const report = await push(repo, [set(main, second), command], pack(...all, ...aside.all));
    expect(report.filter((line) => line.startsWith('ng'))).toHaveLength(1);
    expect(report).toContain(`ok ${main}`);
    expect(await idsIn(await fetched(repo, [second]))).toEqual(idsOf(all));
  });

  it('GIT-066, GIT-127: is not, once a ref was moved back or deleted', async () => {
    for (const [name, back] of [
      ['back', { old: second.oid, new: first.oid, ref: main }],
      ['gone', { old: second.oid, new: noObject, ref: main }],
    ] as const) {
      const repo = await server.createRepo(`moved-${name}`);
      const commands = [set(main, second), set('refs/heads/first', first)];
      expect(await push(repo, commands, pack(...all))).toContain(`ok ${main}`);
      expect(await push(repo, [back], packOfEntries([])), name).toContain(`ok ${main}`);
      expect(await idsIn(await fetched(repo, [first])), name).toEqual(idsOf([large, root, first]));
    }
  });

  it('GIT-067: is not, with its offset deltas for a client that takes none', async () => {
    const repo = await server.createRepo('offsets');
    const other = blob(Buffer.concat([large.body, Buffer.from('more')]));
    const { length } = large.body;
    const size = (number: number): number[] => [(number & 127) | 128, ((number >>> 7) & 127) | 128, number >>> 14];
    const copies = Array.from({ length: Math.ceil(length / 65_535) }, (_, i) => {
      const at = i * 65_535;
      const part = Math.min(65_535, length - at);
      return [0xb7, at & 255, (at >>> 8) & 255, at >>> 16, part & 255, part >>> 8];
    });
    const delta = Uint8Array.from([...size(length), ...size(length + 4), ...copies.flat(), 4, ...Buffer.from('more')]);
    const top = tree({ large, other });
    const value = commit('offsets', top);
    const entries = [packEntry(1, value.body), packEntry(2, top.body), packEntry(3, large.body)];
    const distance = (entries[2] as Buffer).length;
    const back = [distance & 127];
    for (let rest = distance >>> 7; rest > 0; rest >>>= 7) back.unshift(128 | (--rest & 127));
    expect(
      await push(repo, [set(main, value)], packOfEntries([...entries, packEntry(6, delta, Uint8Array.from(back))])),
    ).toContain(`ok ${main}`);
    const typesOf = async (words: string[]): Promise<number> => {
      const bytes = await fetched(repo, [value], [], words);
      expect(await idsIn(bytes)).toEqual(idsOf([value, top, large, other]));
      return bytes.length;
    };
    // By id the delta takes 20 bytes for its base, by offset fewer.
    const [byOffset, byId] = [await typesOf(['ofs-delta']), await typesOf([])];
    expect(byId - byOffset).toBe(20 - back.length);
  });
});

describe('a tree that is wanted by its id', () => {
  it('GIT-060, GIT-149: comes with all it names but submodules', async () => {
    const repo = await server.createRepo('wanted-tree');
    const file = blob('beside a submodule\n');
    const entry = (mode: string, name: string, oid: string): Buffer =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]);
    const inner = made(
      'tree',
      Buffer.concat([entry('100644', 'file', file.oid), entry('160000', 'module', first.oid)]),
    );
    const top = made(
      'tree',
      Buffer.concat([entry('40000', 'folder', inner.oid), entry('160000', 'other', '12'.repeat(20))]),
    );
    const value = commit('submodules', top);
    // What the first link names is stored here, too, but is no part of the tree.
    const commands = [set(main, value), set('refs/heads/first', first)];
    expect(await push(repo, commands, pack(value, top, inner, file, first, root, large))).toContain(`ok ${main}`);
    expect(await idsIn(await fetched(repo, [top]))).toEqual(idsOf([top, inner, file]));
    expect(await idsIn(await fetched(repo, [inner]))).toEqual(idsOf([inner, file]));
    expect(await idsIn(await fetched(repo, [file]))).toEqual(idsOf([file]));
  });
});
