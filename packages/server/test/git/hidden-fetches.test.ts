/**
 * GIT-129 for what a fetch may name beside its wants: no argument leads to what hidden refs alone reach, or tells that
 * it is there. Each is asked first while nothing is hidden, so that the request itself is known to work.
 */

import { blob, change, commit, pack, tag, tree } from '@packhouse/conformance/tools/made-objects';
import { readPack } from '@packhouse/conformance/tools/pack-contents';
import { commandBody, linesOf, packOf, post, push, remove, set } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

const main = 'refs/heads/main';
const first = change('first');
const second = change('second', first);
const patterns = blob('/file\n');
const hidden = commit('hidden', tree({ patterns }), [first]);
const hiddenTag = tag('hidden', hidden);
const hiding = { hidden_refs: ['refs/secret', 'refs/tags/secret'] };

let server: TestServer;
let repo: TestRepo;

beforeAll(async () => {
  server = await startTestServer();
  repo = await server.createRepo('repo');
  const refs = [
    set(main, second),
    set('refs/secret/it', hidden),
    set('refs/tags/secret', hiddenTag),
    set('refs/heads/gone', hidden),
  ];
  const all = [...first.all, ...second.all, hidden, tree({ patterns }), patterns, hiddenTag];
  expect((await push(repo, refs, pack(...all)))[0]).toBe('unpack ok');
  await push(repo, [remove('refs/heads/gone', hidden)]);
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

/**
 * Fetches `main` with `done` in the first request. Returns the first lines of the reply, or the objects of its pack.
 */
async function fetched(...words: readonly string[]): Promise<readonly string[]> {
  const { body } = await post(repo, commandBody('fetch', [`want ${second.oid}`, 'no-progress', ...words, 'done']));
  const lines = linesOf(body);
  const at = lines.indexOf('packfile');
  if (at < 0) return lines;
  return [...lines.slice(0, at), ...[...readPack(packOf(body)).objects.keys()].sort()];
}

const ids = (...objects: readonly { oid: string }[]): readonly string[] => objects.map(({ oid }) => oid).sort();
const everything = ids(...first.all, ...second.all);
const noCommits = ['ERR no commits selected for shallow requests'];
const noFilter = (spec: string): readonly string[] => [`ERR invalid filter-spec '${spec}'`];
const sparse = ids(first, first.root, first.file, second, second.root, second.file);

describe('GIT-129', () => {
  it.each([
    ['deepen-not by name', ['deepen-not refs/secret/it'], noCommits],
    ['deepen-not by a short name', ['deepen-not secret'], noCommits],
    [
      'a filter by ref and path',
      ['filter sparse:oid=refs/secret/it:patterns'],
      noFilter('sparse:oid=refs/secret/it:patterns'),
    ],
    [
      'a filter by commit and path',
      [`filter sparse:oid=${hidden.oid}:patterns`],
      noFilter(`sparse:oid=${hidden.oid}:patterns`),
    ],
    ['a filter by blob', [`filter sparse:oid=${patterns.oid}`], noFilter(`sparse:oid=${patterns.oid}`)],
  ])('%s finds nothing', async (_, words, refused) => {
    // A value that a visible ref has just left is no way around it: GIT-061 is for wants.
    const open = await fetched(...words);
    expect(open).not.toEqual(refused);
    expect(open.filter((line) => !line.startsWith('shallow') && line !== 'delim')).toEqual(
      words[0]?.startsWith('deepen') === true ? ids(...second.all) : sparse,
    );
    await server.restart({ settings: hiding });
    expect(await fetched(...words)).toEqual(refused);
    await server.restart({ settings: {} });
  });

  it('a shallow line is as that of an unknown commit, and no tag of it is sent along', async () => {
    await server.restart({ settings: { ...hiding, stale_want_grace: 0 } });
    for (const oid of [hidden.oid, hiddenTag.oid, '1'.repeat(40)]) {
      expect(await fetched(`shallow ${oid}`, 'deepen 2147483647', 'include-tag')).toEqual([
        'shallow-info',
        'delim',
        ...everything,
      ]);
      expect(await fetched(`shallow ${oid}`, 'deepen 1', 'deepen-relative')).toEqual([
        'shallow-info',
        'delim',
        ...everything,
      ]);
    }
    await server.restart({ settings: {} });
  });

  it('what a hidden ref reaches may be wanted while a visible one has just left it, and not a moment longer', async () => {
    await server.restart({ settings: hiding });
    expect(await fetched(`want ${hidden.oid}`)).toEqual(
      ids(...first.all, ...second.all, hidden, tree({ patterns }), patterns),
    );
    expect(await fetched(`want ${hiddenTag.oid}`)).toEqual([`ERR upload-pack: not our ref ${hiddenTag.oid}`]);
    await server.restart({ settings: { ...hiding, stale_want_grace: 0 } });
    expect(await fetched(`want ${hidden.oid}`)).toEqual([`ERR upload-pack: not our ref ${hidden.oid}`]);
    await server.restart({ settings: {} });
  });
});
