/** Pushes that are made to cost much, or to slip something past the rules of sections 8 and 9 of git.md. */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git } from '../support/git.ts';
import { blob, change, commit, pack, tag, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { makeFolder, removeFolder, startTestServer, type TestServer } from '../support/test-server.ts';
import { fetchBody, packOf, post, push, remove, set } from '@packhouse/conformance/tools/wire-client';

const emptyPack = pack();
const invented = { oid: '1'.repeat(40) };

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

describe('what a push must not slip in', () => {
  it('GIT-078, GIT-126: what a refused command brought is not sent with the whole pack', async () => {
    await server.restart({ settings: { deny_non_fast_forward: true } });
    const repo = await server.createRepo('refused-in-first');
    const kept = change('kept');
    const refused = change('refused');
    const big = blob('x'.repeat(20_000));
    const report = await push(
      repo,
      [set('refs/heads/main', kept), set('refs/heads/other', refused, invented)],
      pack(...kept.all, ...refused.all, big),
    );
    expect(report).toEqual(['unpack ok', 'ok refs/heads/main', 'ng refs/heads/other non-fast-forward']);
    const { body } = await post(repo, fetchBody([kept.oid], []));
    expect(packOf(body).readUInt32BE(8)).toBe(kept.all.length);
    await server.restart({ settings: {} });
  });

  it('GIT-129: a deleted ref leads nobody to what hidden refs alone reach, and no conflict names one', async () => {
    const repo = await server.createRepo('behind-deleted');
    const open = change('open');
    const hidden = change('hidden');
    const child = change('child', hidden);
    await push(
      repo,
      [set('refs/heads/main', open), set('refs/hidden/it', hidden), set('refs/heads/child', child)],
      pack(...open.all, ...hidden.all, ...child.all),
    );
    await push(repo, [remove('refs/heads/child', child)], Buffer.alloc(0));
    await server.restart({ settings: { hidden_refs: ['refs/hidden'] } });
    for (const value of [hidden, child]) {
      const report = await push(repo, [set('refs/heads/taken', value)], emptyPack);
      expect(report).toEqual(['unpack ok', 'ng refs/heads/taken missing necessary objects']);
    }
    const conflict = await push(repo, [set('refs/hidden/it/below', open)], emptyPack);
    expect(conflict[1]).toBe('ng refs/hidden/it/below deny updating a hidden ref');
    await server.restart({ settings: {} });
    await push(repo, [set('refs/heads/team/secret/acquire', open)], emptyPack);
    await server.restart({ settings: { hidden_refs: ['refs/heads/team/secret'] } });
    const named = await push(repo, [set('refs/heads/team', open)], emptyPack);
    expect(named).toEqual(['unpack ok', 'ng refs/heads/team conflicts with a hidden ref']);
    await server.restart({ settings: {} });
  });
});

describe('what a push must not cost', () => {
  it('GIT-149: a commit that names one parent 20,000 times is taken like any other', async () => {
    const repo = await server.createRepo('many-parents');
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`f${String(i).padStart(2, '0')}`, blob(`${i}`)]),
    );
    const root = tree(files);
    const base = commit('base', root);
    const changed = { ...files, f00: blob('changed') };
    const wide = tree(changed);
    const merge = commit('merge', wide, Array<MadeObject>(20_000).fill(base));
    const report = await push(
      repo,
      [set('refs/heads/main', merge)],
      pack(...Object.values(changed), ...Object.values(files), root, wide, base, merge),
    );
    expect(report).toEqual(['unpack ok', 'ok refs/heads/main']);
    const clone = join(folder, 'many-parents.git');
    await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
    expect((await git(['rev-list', '--objects', '--all'], { cwd: clone })).trim().split('\n')).toHaveLength(55);
  });

  it('LIM-059: lists that would outgrow the memory of a request are refused', async () => {
    await server.restart({ settings: { request_memory_max: 8_000_000 } });
    const repo = await server.createRepo('long-lists');
    const folderOf = (start: number): { root: MadeObject; all: MadeObject[] } => {
      const files = Object.fromEntries(
        Array.from({ length: 5_000 }, (_, i) => [`f${String(i).padStart(5, '0')}`, blob(`${start + i}`)]),
      );
      return { root: tree(files), all: Object.values(files) };
    };
    const [odd, even] = [folderOf(0), folderOf(5_000)];
    const history: MadeObject[] = [];
    for (let i = 0; i < 300; i++) {
      history.push(commit(`${i}`, i % 2 === 0 ? even.root : odd.root, history.slice(-1)));
    }
    const bytes = pack(...odd.all, ...even.all, odd.root, even.root, ...history);
    const value = history.at(-1) as MadeObject;
    expect(await push(repo, [set('refs/heads/main', value)], bytes)).toEqual([
      'unpack not enough memory',
      'ng refs/heads/main not enough memory',
    ]);
    await server.restart({ settings: {} });
    expect(await push(repo, [set('refs/heads/main', value)], bytes)).toEqual(['unpack ok', 'ok refs/heads/main']);
  });

  it('GIT-043: a long chain of tags with a ref to each is peeled', async () => {
    const repo = await server.createRepo('tag-chain');
    const base = change('base');
    const tags: MadeObject[] = [];
    for (let i = 0; i < 2_000; i++) tags.push(tag(`t${i}`, tags.at(-1) ?? base));
    const report = await push(
      repo,
      tags.map((value, i) => set(`refs/tags/t${i}`, value)),
      pack(...base.all, ...tags),
    );
    expect(report).toHaveLength(2_001);
    expect(report.every((line) => line === 'unpack ok' || line.startsWith('ok '))).toBe(true);
    const listed = await git([...repo.auth, 'ls-remote', repo.remote, 'refs/tags/t1999^{}']);
    expect(listed).toBe(`${base.oid}\trefs/tags/t1999^{}\n`);
  });
});

describe('commits that an earlier push left without a ref', () => {
  it('GIT-111, GIT-155: are kept when there are so many that their graph goes to a file', async () => {
    const repo = await server.createRepo('many-left');
    const base = change('base');
    const left: MadeObject[] = [];
    for (let i = 0; i < 45_000; i++) left.push(commit(`${i}`, base.root, left.slice(-1)));
    await push(repo, [set('refs/heads/main', base)], pack(...base.all, ...left));
    const value = left.at(-1) as MadeObject;
    expect(await push(repo, [set('refs/heads/left', value)], emptyPack)).toEqual(['unpack ok', 'ok refs/heads/left']);
    await server.restart();
    const clone = join(folder, 'many-left.git');
    await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
    expect((await git(['rev-list', '--count', 'left'], { cwd: clone })).trim()).toBe('45000');
  });
});
