/**
 * GIT-129 of docs/specification/git.md: hidden refs, and what only they reach. It needs a process that is started again
 * with other settings: no client can make a hidden ref. What shows without one is among the conformance cases.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, tryGit } from '../support/git.ts';
import {
  blob,
  change,
  commit,
  insertingDelta,
  pack,
  packEntry,
  packOfEntries,
  tag,
  tree,
} from '@packhouse/conformance/tools/made-objects';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';
import {
  commandBody,
  discover,
  linesOf,
  listedRefs,
  post,
  push,
  remove,
  set,
  uploadBody,
} from '@packhouse/conformance/tools/wire-client';

const first = change('first');
const second = change('second', first);
const hidden = change('hidden', first);
const hiddenTag = tag('hidden', hidden);
const secret = change('secret');

let server: TestServer;
let repo: TestRepo;
let own: TestRepo;

beforeAll(async () => {
  server = await startTestServer();
  repo = await server.createRepo('repo');
  const refs = {
    'refs/heads/main': second,
    'refs/internal/one': hidden,
    'refs/internal/deep/tag': hiddenTag,
    'refs/internals': null,
    'refs/internals/open': second,
    'refs/heads/private/secret': secret,
    'refs/heads/private-not': first,
  };
  const report = await push(
    repo,
    Object.entries(refs).flatMap(([ref, value]) => (value === null ? [] : [set(ref, value)])),
    pack(...first.all, ...second.all, ...hidden.all, ...secret.all, hiddenTag),
  );
  expect(report.every((line) => line === 'unpack ok' || line.startsWith('ok '))).toBe(true);
  own = await server.createRepo('head', { default_branch: 'private/main' });
  const branches = [set('refs/heads/private/main', first), set('refs/heads/other', first)];
  expect((await push(own, branches, pack(...first.all)))[0]).toBe('unpack ok');
  await server.restart({ settings: { hidden_refs: ['refs/internal', 'refs/heads/private/'], stale_want_grace: 0 } });
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

const only = [hidden, hidden.root, hidden.file, hiddenTag, secret, secret.file];

describe('GIT-129: hidden refs', () => {
  it('are not listed, in any service and version; prefixes end at component borders', async () => {
    const visible = ['refs/heads/main', 'refs/heads/private-not', 'refs/internals/open'];
    expect(Object.keys(await listedRefs(repo))).toEqual(['HEAD', ...visible]);
    for (const service of ['git-upload-pack', 'git-receive-pack'] as const) {
      for (const version of [0, 1] as const) {
        const { body } = await discover(repo, { service, version });
        for (const { oid } of only) expect(body.includes(oid)).toBe(false);
        for (const name of visible) expect(body.includes(name)).toBe(true);
        expect(/refs\/internal\/|private\/secret/.test(body.toString('latin1'))).toBe(false);
      }
    }
    expect(linesOf((await post(repo, commandBody('ls-refs', ['ref-prefix refs/internal/']))).body)).toEqual(['flush']);
  });

  it('nothing that only they reach can be wanted by its id', async () => {
    for (const { oid } of only) {
      const refused = [`ERR upload-pack: not our ref ${oid}`];
      expect(linesOf((await post(repo, commandBody('fetch', [`want ${oid}`, 'done']))).body)).toEqual(refused);
      expect(linesOf((await post(repo, uploadBody([oid], [], 'side-band-64k'), { version: 0 })).body)).toEqual(refused);
    }
    const seen = linesOf((await post(repo, commandBody('fetch', [`want ${first.file.oid}`, 'done']))).body);
    expect(seen[0]).toBe('packfile');
  });

  it('nor is it common: a have of it is skipped like one that is unknown', async () => {
    const haves = [hidden, hiddenTag, secret].map(({ oid }) => `have ${oid}`);
    const { body } = await post(repo, commandBody('fetch', [`want ${second.oid}`, ...haves]));
    expect(linesOf(body)).toEqual(['acknowledgments', 'NAK', 'flush']);
    const mixed = await post(
      repo,
      commandBody('fetch', [`want ${second.oid}`, ...haves, `have ${first.oid}`, 'no-progress']),
    );
    expect(linesOf(mixed.body).slice(0, 3)).toEqual(['acknowledgments', `ACK ${first.oid}`, 'ready']);
  });

  it('a clone gets what is visible, and nothing else', async () => {
    const folder = makeFolder();
    await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, folder]);
    const there = await git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], { cwd: folder });
    expect(there.trim().split('\n')).toEqual([...first.all, ...second.all].map(({ oid }) => oid).sort());
    for (const version of ['0', '2']) {
      const { status, stderr } = await tryGit(
        ['-c', `protocol.version=${version}`, ...repo.auth, 'fetch', repo.remote, 'refs/internal/one'],
        { cwd: folder },
      );
      expect([status, stderr]).toEqual([128, expect.stringContaining("couldn't find remote ref refs/internal/one")]);
    }
    removeFolder(folder);
  });

  it('a push cannot take over by id what only they reach', async () => {
    for (const [ref, value] of [
      ['refs/heads/taken', hidden],
      ['refs/heads/taken', secret],
      ['refs/tags/taken', hiddenTag],
      ['refs/tags/taken', hidden.root],
      ['refs/tags/taken', secret.file],
    ] as const) {
      expect(await push(repo, [set(ref, value)], pack())).toEqual(['unpack ok', `ng ${ref} missing necessary objects`]);
    }
    const above = change('above', hidden);
    expect(await push(repo, [set('refs/heads/taken', above)], pack(...above.all))).toEqual([
      'unpack ok',
      'ng refs/heads/taken missing necessary objects',
    ]);
    const inside = tree({ file: secret.file });
    const around = commit('around', inside, [first]);
    expect(await push(repo, [set('refs/heads/taken', around)], pack(around, inside))).toEqual([
      'unpack ok',
      'ng refs/heads/taken missing necessary objects',
    ]);
  });

  it('nor use it as the base of a delta', async () => {
    const target = blob('built on what is hidden\n');
    const inside = tree({ file: target });
    const around = commit('leaning', inside, [first]);
    const entries = (base: { oid: string; body: Buffer }): Buffer =>
      packOfEntries([
        packEntry(7, insertingDelta(base.body.length, target.body), Buffer.from(base.oid, 'hex')),
        packEntry(2, inside.body),
        packEntry(1, around.body),
      ]);
    expect(await push(repo, [set('refs/heads/leaning', around)], entries(hidden.file))).toEqual([
      `unpack missing base ${hidden.file.oid}`,
      'ng refs/heads/leaning unpacker error',
    ]);
    expect(await push(repo, [set('refs/heads/leaning', around)], entries(first.file))).toEqual([
      'unpack ok',
      'ok refs/heads/leaning',
    ]);
    await push(repo, [remove('refs/heads/leaning', around)]);
  });

  it('are not pushed to, in any way; the rest of the push goes on', async () => {
    expect(
      await push(
        repo,
        [
          set('refs/internal/new', first),
          set('refs/internal/one', first, hidden),
          remove('refs/internal/one', hidden),
          set('refs/heads/beside', first),
        ],
        pack(),
      ),
    ).toEqual([
      'unpack ok',
      'ng refs/internal/new deny updating a hidden ref',
      'ng refs/internal/one multiple updates for one ref',
      'ng refs/internal/one multiple updates for one ref',
      'ok refs/heads/beside',
    ]);
    for (const command of [
      set('refs/internal/one', first, hidden),
      remove('refs/internal/one', hidden),
      set('refs/heads/private/x', first),
    ]) {
      expect(await push(repo, [command], pack())).toEqual([
        'unpack ok',
        `ng ${command.ref as string} deny updating a hidden ref`,
      ]);
    }
    await push(repo, [remove('refs/heads/beside', first)]);
  });

  it('what a client sends itself is its own, and the objects become visible with its ref', async () => {
    expect(await push(repo, [set('refs/heads/resent', secret)], pack(...secret.all))).toEqual([
      'unpack ok',
      'ok refs/heads/resent',
    ]);
    const { body } = await post(repo, commandBody('fetch', [`want ${secret.file.oid}`, 'done']));
    expect(linesOf(body)[0]).toBe('packfile');
    await push(repo, [remove('refs/heads/resent', secret)]);
    expect(linesOf((await post(repo, commandBody('fetch', [`want ${secret.file.oid}`, 'done']))).body)).toEqual([
      `ERR upload-pack: not our ref ${secret.file.oid}`,
    ]);
  });

  it('GIT-130: count as absent for HEAD', async () => {
    expect(await listedRefs(own)).toEqual({
      HEAD: `${first.oid} symref-target:refs/heads/other`,
      'refs/heads/other': first.oid,
    });
  });
});
