/** REPO-141 and REPO-143 of docs/specification/repositories.md: logs, and the meaning of revisions. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { logOf, pathOf, readBytes } from '../../../steps/content.ts';
import { blob, change, commit, made, pack, tag, tree, type MadeCommit } from '../../../tools/made-objects.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { remove, set } from '../../../tools/wire-client.ts';
import { notFound } from './failures.ts';
import { assertRefused, assertSuccess, badField } from '../../../steps/replies.ts';
import { governedSettings, only } from '../../../steps/settings.ts';

/** Makes a line of commits. */
function line(count: number): readonly MadeCommit[] {
  const commits: MadeCommit[] = [];
  for (let i = 0; i < count; i++) commits.push(change(`${i}`, ...commits.slice(-1)));
  return commits;
}

const hashes = (commits: readonly { readonly hash: string }[]): string[] => commits.map(({ hash }) => hash);

/** Expects that a revision has no log (REPO-143, REPO-220). */
async function expectUnresolved(t: Context, repo: TestRepo, ref: string): Promise<void> {
  const query = `ref=${encodeURIComponent(ref)}`;
  if (t.dialect.refusesUnresolvedLog) await assertRefused(t, ['GET', `${pathOf(repo)}/log?${query}`], notFound.ref);
  else same(await logOf(t, repo, query), [], `The revision ${ref.slice(0, 50)} is none.`);
}

export const contentLogs: Suite = suite(
  {
    id: 'rest/content/log-ranges',
    requirements: ['LIM-004', 'REPO-080', 'REPO-143'],
    level: 'MUST',
    explanation: 'A log is 50 commits unless it says otherwise, 1,000 at most, from an offset on.',
    async run(t) {
      const commits = line(1_003);
      const all = commits.flatMap((one) => one.all);
      const repo = await repoWith(t, { 'refs/heads/main': commits.at(-1) as MadeCommit }, all);
      const newest = commits.toReversed().map(({ oid }) => oid);
      const parts: readonly (readonly [query: string, from: number, to: number])[] = [
        ['', 0, 50],
        ['limit=1', 0, 1],
        ['limit=1000', 0, 1_000],
        ['limit=1001', 0, 1_000],
        ['limit=99999999999999999999', 0, 1_000],
        ['offset=0&limit=2', 0, 2],
        ['offset=3&limit=2', 3, 5],
        ['offset=990', 990, 1_003],
        ['offset=1002', 1_002, 1_003],
        ['offset=1003', 0, 0],
        ['offset=99999999999999999999', 0, 0],
      ];
      for (const [query, from, to] of parts) {
        same(hashes(await logOf(t, repo, query)), newest.slice(from, to), `log?${query}`);
      }
    },
  },
  {
    id: 'rest/content/log-first-parents',
    requirements: ['REPO-143'],
    level: 'MUST',
    explanation: 'A log follows first parents alone; each commit shows all of its own.',
    async run(t) {
      const [a, b, side] = [change('a'), change('b'), change('side')];
      const merged = change('merged', b, a, side);
      const top = change('top', merged);
      const repo = await repoWith(
        t,
        { 'refs/heads/main': top },
        [a, b, side, merged, top].flatMap(({ all }) => all),
      );
      const log = await logOf(t, repo);
      same(hashes(log), [top.oid, merged.oid, b.oid], 'The first parents, newest first.');
      same(log[1]?.parents, [b.oid, a.oid, side.oid], 'The merge shows its parents in the order of Git.');
    },
  },
  {
    id: 'rest/content/log-fields',
    requirements: ['REPO-048', 'REPO-143'],
    level: 'MUST',
    explanation: 'A bad limit or offset is told with its text, before a repo is looked for.',
    async run(t) {
      const repo = await t.createRepo();
      const bad: readonly (readonly [query: string, field: string, message: string])[] = [
        ['limit=0', 'limit', 'Too small: expected number to be >0'],
        ['limit=-7', 'limit', 'Too small: expected number to be >0'],
        ['limit=x', 'limit', 'Invalid input: expected number, received NaN'],
        ['limit=1.5', 'limit', 'Invalid input: expected number, received NaN'],
        ['limit=', 'limit', 'Invalid input: expected number, received NaN'],
        ['offset=-1', 'offset', 'Too small: expected number to be >=0'],
        ['offset=x', 'offset', 'Invalid input: expected number, received NaN'],
        ['offset=x&limit=0', 'limit', 'Too small: expected number to be >0'],
      ];
      for (const [query, field, message] of bad) {
        await assertRefused(t, ['GET', `${pathOf(repo)}/log?${query}`], badField(field, message));
        await assertRefused(t, ['GET', `${pathOf({ ...repo, name: 'none' })}/log?${query}`], badField(field, message));
      }
      const unknown = await t.rest('GET', `${pathOf(repo)}/log?depth=x&limit=2`);
      assertSuccess(unknown, 200, 'an unknown parameter');
    },
  },
  {
    id: 'rest/content/log-empty',
    requirements: ['REPO-111', 'REPO-143', 'REPO-220'],
    level: 'MUST',
    explanation:
      "A log of an empty repo is an empty list; one of a revision that does not resolve is the dialect's reply.",
    async run(t) {
      const empty = await t.createRepo();
      const first = change('first');
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      for (const query of ['', 'ref=HEAD', 'limit=1', 'ref=HEAD&offset=3']) {
        same(await logOf(t, empty, query), [], `An empty repo, log?${query}`);
      }
      for (const ref of ['main', 'refs/heads/main', first.oid, '']) await expectUnresolved(t, empty, ref);
      for (const ref of [
        '',
        'none',
        'refs/heads/none',
        `${'0'.repeat(40)}`,
        'a..b',
        'main^',
        'main~1',
        '@',
        'x'.repeat(2_000),
      ]) {
        await expectUnresolved(t, repo, ref);
      }
    },
  },
  {
    id: 'rest/content/revisions',
    requirements: ['GIT-130', 'REPO-141'],
    level: 'MUST',
    explanation:
      'A revision is an id, HEAD, a full name, heads/ or tags/ with a name, a branch or a tag, in this order; tags are peeled.',
    async run(t) {
      const [main, other, tagged, nested, odd, byId, deep] = [
        'main',
        'other',
        'tagged',
        'nested',
        'odd',
        'by id',
        'deep',
      ].map((name) => change(name)) as [
        MadeCommit,
        MadeCommit,
        MadeCommit,
        MadeCommit,
        MadeCommit,
        MadeCommit,
        MadeCommit,
      ];
      const once = tag('once', tagged);
      const twice = tag('twice', tag('inner', nested));
      const inner = tag('inner', nested);
      const ofTree = tag('of-tree', main.root);
      const commits = [main, other, tagged, nested, odd, byId, deep];
      const repo = await repoWith(
        t,
        {
          'refs/heads/main': main,
          'refs/heads/other': other,
          'refs/heads/feature/deep': deep,
          'refs/heads/both': other,
          'refs/tags/both': tagged,
          'refs/tags/once': once,
          'refs/tags/twice': twice,
          'refs/tags/of-tree': ofTree,
          'refs/tags/light': tagged,
          'refs/heads/tags/light': odd,
          'refs/heads/heads/x': odd,
          'refs/notes/commits': nested,
          'refs/odd/blob': main.file,
          'refs/odd/tree': main.root,
          // Ref names that look like other revisions.
          [`refs/heads/${byId.oid}`]: main,
          [`refs/heads/${main.root.oid}`]: main,
          [`refs/heads/${'ab'.repeat(20)}`]: odd,
          'refs/heads/refs/heads/main': odd,
          'refs/heads/HEAD': odd,
          'refs/tags/by-id': byId,
        },
        [...commits.flatMap(({ all }) => all), once, twice, inner, ofTree],
      );
      const found: readonly (readonly [revision: string, commit: MadeCommit])[] = [
        ['HEAD', main],
        ['main', main],
        ['heads/main', main],
        ['refs/heads/main', main],
        ['other', other],
        ['feature/deep', deep],
        ['heads/feature/deep', deep],
        ['both', other],
        ['heads/both', other],
        ['tags/both', tagged],
        ['once', tagged],
        ['tags/once', tagged],
        ['refs/tags/once', tagged],
        ['twice', nested],
        ['light', tagged],
        ['tags/light', tagged],
        ['heads/tags/light', odd],
        ['heads/x', odd],
        ['refs/notes/commits', nested],
        [main.oid, main],
        [tagged.oid, tagged],
        [once.oid, tagged],
        [twice.oid, nested],
        [inner.oid, nested],
        [byId.oid, byId],
        ['ab'.repeat(20), odd],
        ['refs/heads/refs/heads/main', odd],
      ];
      for (const [revision, expected] of found) {
        const query = `ref=${encodeURIComponent(revision)}`;
        same(hashes(await logOf(t, repo, `${query}&limit=1`)), [expected.oid], `The revision ${revision}.`);
        const file = await readBytes(t, repo, `/file?path=file&${query}`);
        assert.equal(file.body.toString(), expected.file.body.toString(), `expected the file at ${revision}`);
        const raw = await readBytes(t, repo, `/raw/${encodeURIComponent(revision)}/file`);
        assert.equal(raw.body.toString(), expected.file.body.toString(), `expected the raw file at ${revision}`);
      }
      const lost = [
        'of-tree',
        'refs/odd/blob',
        'refs/odd/tree',
        main.root.oid,
        main.file.oid,
        ofTree.oid,
        main.oid.slice(0, 39),
        main.oid.slice(0, 8),
        main.oid.toUpperCase(),
        `${main.oid}0`,
        'notes/commits',
        'odd/blob',
        'refs',
        'refs/',
        'refs/heads',
        'refs/heads/',
        'heads',
        'Main',
        'deep',
      ];
      for (const revision of lost) {
        const query = `ref=${encodeURIComponent(revision)}`;
        await expectUnresolved(t, repo, revision);
        assert.equal((await readBytes(t, repo, `/file?path=file&${query}`)).status, 404, `${revision}: expected 404`);
      }
    },
  },
  {
    id: 'rest/content/head',
    requirements: ['GIT-130', 'REPO-141'],
    level: 'MUST',
    explanation: 'HEAD is the default branch, else the only branch, else nothing.',
    async run(t) {
      const [a, b] = [change('a'), change('b')];
      const repo = await repoWith(t, { 'refs/heads/trunk': a }, a.all, { body: { default_branch: 'main' } });
      same(hashes(await logOf(t, repo)), [a.oid], 'The only branch.');
      await accepted(repo, [set('refs/heads/work', b)], pack(...b.all));
      same(hashes(await logOf(t, repo)), [], 'None of two.');
      await accepted(repo, [set('refs/heads/main', b)], pack());
      same(hashes(await logOf(t, repo)), [b.oid], 'The default branch.');
      await accepted(repo, [remove('refs/heads/main', b), remove('refs/heads/work', b)]);
      same(hashes(await logOf(t, repo)), [a.oid], 'The only branch again.');
    },
  },
  {
    id: 'rest/content/fresh',
    requirements: ['REPO-006', 'REPO-143'],
    level: 'MUST',
    explanation: 'A read sees every push that was acknowledged before it.',
    async run(t) {
      const commits = line(12);
      const repo = await t.createRepo();
      for (const [i, one] of commits.entries()) {
        await accepted(repo, [set('refs/heads/main', one, commits[i - 1])], pack(...one.all));
        same((await logOf(t, repo, 'limit=1'))[0]?.hash, one.oid, `The push ${i} is there.`);
        const file = await readBytes(t, repo, '/file?path=file');
        assert.equal(file.body.toString(), `${i}\n`, `expected the file of push ${i}`);
      }
      same(
        hashes(await logOf(t, repo)),
        commits.toReversed().map(({ oid }) => oid),
        'All of them, over their packs.',
      );
    },
  },
  {
    id: 'rest/content/hidden-refs',
    requirements: ['GIT-129', 'REPO-141'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(governedSettings, 'hidden_refs'),
    beyond: true,
    explanation: 'Hidden refs do not resolve, and their neighbours do.',
    async run(t) {
      const first = change('first');
      const repo = await repoWith(t, { 'refs/heads/main': first, 'refs/internals/x': first }, first.all);
      same(hashes(await logOf(t, repo, 'ref=refs/internals/x')), [first.oid], 'A neighbour resolves.');
      for (const ref of ['refs/internal/x', 'refs/heads/private/x', 'private/x', 'heads/private/x']) {
        await expectUnresolved(t, repo, ref);
      }
    },
  },
  {
    id: 'rest/content/tree-of-nothing',
    requirements: ['REPO-145', 'REPO-147'],
    level: 'MUST',
    explanation: 'A commit of the empty tree is read like any other.',
    async run(t) {
      const root = made('tree', '');
      const node = commit('nothing', root);
      const unused = tree({ file: blob('unused') });
      const repo = await repoWith(t, { 'refs/heads/main': node }, [root, node, unused]);
      same((await logOf(t, repo))[0]?.treeHash, root.oid, 'Its tree.');
      const reply = await t.rest('GET', `${pathOf(repo)}/tree/${root.oid}`);
      same(assertSuccess(reply, 200, 'the empty tree'), [], 'It has no entries.');
      assert.equal((await readBytes(t, repo, '/file?path=file')).status, 404, 'expected no file');
    },
  },
);
