/**
 * GIT-129: refs that are hidden from now on, and pushes and fetches that know what they reach. It needs a process that
 * is started again with other settings: no client can make a hidden ref.
 */

import { join } from 'node:path';
import { noise } from '@packhouse/conformance/tools/noise';
import {
  blob,
  change,
  commit,
  insertingDelta,
  noObject,
  pack,
  packEntry,
  packOfEntries,
  tag,
  tree,
  type MadeObject,
} from '@packhouse/conformance/tools/made-objects';
import {
  fetchBody,
  linesOf,
  listedRefs,
  packOf,
  post,
  push,
  remove,
  set,
} from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { git } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

const main = 'refs/heads/main';
const incomplete = 'missing necessary objects';
const referenceDelta = 7;
const emptyPack = pack();

let server: TestServer;
let folder: string;
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

async function expectCloneSound(repo: TestRepo): Promise<void> {
  const clone = join(folder, `clone-${numbers++}.git`);
  await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
  expect(await git(['fsck', '--full', '--no-dangling'], { cwd: clone })).toBe('');
}

it('GIT-129: a deleted ref exposes no object that only hidden refs reach, and no conflict names a hidden ref', async () => {
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

it.each([
  ['rows', 1_000],
  ['files', 1_700_000],
])(
  'GIT-129: what hidden refs alone reach is not sent, where all of a repository is one pack in %s',
  async (_, size) => {
    const large = blob(noise(size, 3));
    const root = tree({ large });
    const first = commit('first', root);
    const second = change('second', first);
    const aside = change('aside', first);
    const all = [large, root, first, ...second.all];
    const fetched = async (...wants: readonly MadeObject[]): Promise<number> => {
      const { body } = await post(
        repo,
        fetchBody(
          wants.map(({ oid }) => oid),
          [],
        ),
      );
      return packOf(body).readUInt32BE(8);
    };
    const repo = await server.createRepo(`one-pack-${size}`);
    const commands = [set(main, second), set('refs/secret/aside', aside)];
    expect(await push(repo, commands, pack(...all, ...aside.all))).toContain(`ok ${main}`);
    await server.restart({ settings: { hidden_refs: ['refs/secret'] } });
    expect(await fetched(second)).toBe(all.length);
    await expect(fetched(second, aside)).rejects.toThrow(`not our ref ${aside.oid}`);
    await server.restart({ settings: {} });
    expect(await fetched(second, aside)).toBe(all.length + aside.all.length);
  },
);

it('GIT-129, GIT-145, GIT-149: what hidden refs alone reach holds up no push, and comes in like anything new', async () => {
  const hiding = await startTestServer();
  try {
    const repo = await hiding.createRepo('hiding');
    const known = change('known');
    const secret = change('secret', known);
    const secretTag = tag('secret', secret);
    const commands = [set(main, known), set('refs/secret/commit', secret), set('refs/secret/tag', secretTag)];
    const objects = pack(...known.all, ...secret.all, secretTag);
    expect(await push(repo, commands, objects)).toEqual([
      'unpack ok',
      ...commands.map(({ ref }) => `ok ${String(ref)}`),
    ]);
    await hiding.restart({ settings: { hidden_refs: ['refs/secret'], stale_want_grace: 0 } });
    expect(Object.keys(await listedRefs(repo)).sort()).toEqual(['HEAD', main]);

    const mixed = tree({ known: known.file, secret: secret.file });
    const inFolder = tree({ folder: secret.root });
    const over = (top: MadeObject, ...parents: readonly MadeObject[]): MadeObject => commit('over', top, parents);
    const leaning: readonly (readonly [string, MadeObject, readonly MadeObject[], readonly MadeObject[]])[] = [
      ['refs/heads/taken', secret, [], secret.all],
      ['refs/tags/taken', secretTag, [], [secretTag, ...secret.all]],
      ['refs/trees/taken', secret.root, [], [secret.root, secret.file]],
      ['refs/blobs/taken', secret.file, [], [secret.file]],
      ['refs/heads/parent', over(known.root, secret), [over(known.root, secret)], secret.all],
      ['refs/heads/tree', over(secret.root, known), [over(secret.root, known)], [secret.root, secret.file]],
      ['refs/heads/folder', over(inFolder, known), [over(inFolder, known), inFolder], [secret.root, secret.file]],
      ['refs/heads/file', over(mixed, known), [over(mixed, known), mixed], [secret.file]],
      ['refs/tags/tag', tag('t', secret), [tag('t', secret)], secret.all],
      ['refs/tags/outer', tag('o', secretTag), [tag('o', secretTag)], [secretTag, ...secret.all]],
      ['refs/tags/tree', tag('r', secret.root), [tag('r', secret.root)], [secret.root, secret.file]],
    ];
    for (const [ref, value, sent] of leaning) {
      expect(await push(repo, [set(ref, value)], pack(...sent))).toEqual(['unpack ok', `ng ${ref} ${incomplete}`]);
    }
    const target = blob('made of a secret\n');
    for (const [base, number] of [
      [secret, 1],
      [secret.root, 2],
      [secret.file, 3],
      [secretTag, 4],
    ] as const) {
      const delta = packEntry(
        referenceDelta,
        insertingDelta(base.body.length, target.body),
        Buffer.from(base.oid, 'hex'),
      );
      expect(await push(repo, [set('refs/blobs/delta', target)], packOfEntries([delta])), `${number}`).toEqual([
        `unpack missing base ${base.oid}`,
        'ng refs/blobs/delta unpacker error',
      ]);
    }
    for (const { oid } of [secretTag, ...secret.all]) {
      expect(linesOf((await post(repo, fetchBody([oid], []))).body)).toEqual([`ERR upload-pack: not our ref ${oid}`]);
    }
    // Who has it all may bring it, and one ref after the other then stands on its own.
    for (const [ref, value, sent, all] of leaning) {
      expect(await push(repo, [set(ref, value)], pack(...sent, ...all)), ref).toEqual(['unpack ok', `ok ${ref}`]);
      expect(await push(repo, [{ old: value.oid, new: noObject, ref }]), ref).toEqual(['unpack ok', `ok ${ref}`]);
      expect(linesOf((await post(repo, fetchBody([secret.file.oid], []))).body)).toEqual([
        `ERR upload-pack: not our ref ${secret.file.oid}`,
      ]);
    }
    for (const [ref, value, sent, all] of leaning) {
      expect(await push(repo, [set(ref, value)], pack(...sent, ...all)), ref).toEqual(['unpack ok', `ok ${ref}`]);
    }
    await expectCloneSound(repo);
    expect(hiding.failures).toEqual([]);
  } finally {
    await hiding.close();
  }
});
