/** REPO-292 to REPO-297 of docs/specification/repositories.md: search. */

import { suite, type Suite } from '../../core/case.ts';
import type { Context, TestRepo } from '../../core/context.ts';
import type { ShownMatch, ShownSearch } from '../../core/shown-content.ts';
import { pathOf } from '../../steps/content.ts';
import { mirrored } from '../../steps/imports.ts';
import { repoWith } from '../../steps/repo-with.ts';
import { assertRefused, assertSuccess, badField, failures } from '../../steps/replies.ts';
import { assertMembers } from '../../steps/values.ts';
import { blob, commit, tree, type MadeObject } from '../../tools/made-objects.ts';
import { same } from '../../tools/same.ts';
import { notFound } from './content/failures.ts';

const texts: Readonly<Record<string, string | Buffer>> = {
  'a.txt': 'foo\nbar\n\nfoobar foo\n',
  binary: 'foo\0\nfoo\n',
  crlf: 'a foo\r\nFOO\r\nlast foo',
  latin: Buffer.from('\xe9t\xe9 foo\n\xff\n', 'latin1'),
  utf8: 'über foo_42\n\tfoo()\n',
};
const files = Object.values(texts).map((text) => blob(text));
const folder = tree(Object.fromEntries(Object.keys(texts).map((name, i) => [name, files[i] as MadeObject])));
const long = blob(`${'y'.repeat(3000)}foo${'z'.repeat(3000)}\n`);
const root = tree({ 'dir-foo': blob('foo'), dir: folder, long });
const main = commit('search', root);
const objects = [main, root, folder, ...files, blob('foo'), long];

const searched = (t: Context): Promise<TestRepo> => repoWith(t, { 'refs/heads/main': main }, objects);

const url = (repo: TestRepo, query: Readonly<Record<string, string>>): string =>
  `${pathOf(repo)}/search?${new URLSearchParams(query)}`;

/** Returns the matches of all pages. */
async function found(t: Context, repo: TestRepo, query: Readonly<Record<string, string>>): Promise<ShownMatch[]> {
  const matches: ShownMatch[] = [];
  for (let cursor = ''; ;) {
    const { json } = await t.rest('GET', url(repo, { ...query, cursor }));
    const result = json.result as ShownSearch;
    matches.push(...result.matches);
    cursor = String((json.result_info as { cursor: string }).cursor);
    assertMembers(result, ['commit', 'matches', 'skipped', 'truncated'], 'a result');
    assertMembers(json.result_info, ['cursor', 'per_page', 'count'], 'the cursor form');
    same(result.truncated, cursor !== '', 'A page with a cursor is truncated.');
    same(result.commit, main.oid, 'The commit.');
    if (cursor === '') return matches;
  }
}

export const search: Suite = suite(
  {
    id: 'rest/search/as-git-greps',
    requirements: ['REPO-292', 'REPO-294', 'REPO-295', 'REPO-296', 'REPO-297'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation:
      'Literals and regular expressions are found in the lines and columns of git grep, on pages of any size.',
    async run(t) {
      const repo = await searched(t);
      const cwd = await mirrored(t, repo);
      const cases: readonly (readonly [query: Readonly<Record<string, string>>, options: readonly string[]])[] = [
        [{ q: 'foo' }, ['-F']],
        [{ q: 'foo', limit: '1' }, ['-F']],
        [{ q: 'FOO\r', limit: '2' }, ['-F']],
        [{ q: 'foo', ignore_case: 'true' }, ['-F', '-i']],
        [{ q: 'foo_?[0-9(]|^$', regex: 'true', limit: '2' }, ['-P']],
        [{ q: '^[a-f]+ f', regex: 'true', ignore_case: 'true' }, ['-P', '-i']],
        [{ q: '.*(', ignore_case: 'false' }, ['-F']],
      ];
      for (const [query, options] of cases) {
        const args = ['grep', '-I', '-n', '--column', ...options, '-e', query['q'] as string, main.oid];
        const printed = await t.git(args, { cwd }).catch(() => '');
        const places = printed.split('\n').flatMap((line) => /^[0-9a-f]{40}:(.*?:\d+:\d+):/.exec(line)?.[1] ?? []);
        const ours = (await found(t, repo, query)).map(({ path, line, column }) => `${path}:${line}:${column}`);
        same(ours, places, JSON.stringify(query));
      }
      const first = await t.rest('GET', url(repo, { q: 'foo', limit: '1' }));
      const all = await found(t, repo, { q: 'foo' });
      const changes = [{ op: 'put', path: 'a', content: 'foo\n' }];
      const body = { branch: 'main', message: 'more', author: { name: 'Ada', email: 'a@example.com' }, changes };
      assertSuccess(await t.rest('POST', `${pathOf(repo)}/commits`, { body }), 201, 'a commit');
      const { cursor } = first.json.result_info as { cursor: string };
      const next = assertSuccess(await t.rest('GET', url(repo, { q: 'foo', cursor })), 200, 'the next page');
      same(
        [next.commit, next.matches],
        [main.oid, all.slice(1)],
        'A walk stays with its commit, also if the ref moves.',
      );
    },
  },
  {
    id: 'rest/search/lines',
    requirements: ['LIM-038', 'REPO-293', 'REPO-294'],
    level: 'MUST',
    beyond: true,
    explanation: 'A match shows its line and its place, a long line is clipped, and a path narrows the search.',
    async run(t) {
      const repo = await searched(t);
      const [clipped, ...others] = await found(t, repo, { q: 'foo', path: 'long' });
      same(others, [], 'One match.');
      assertMembers(clipped as ShownMatch, ['path', 'line', 'column', 'text', 'start', 'end', 'clipped'], 'a match');
      const { text, start, end, ...rest } = clipped as ShownMatch;
      same(rest, { path: 'long', line: 1, column: 3001, clipped: true }, 'The clipped line.');
      same([text.slice(start, end), text.length], ['foo', 1024], 'Its text.');
      const [latin] = await found(t, repo, { q: 'foo', path: 'dir/latin', ref: main.oid });
      const shown = {
        path: 'dir/latin',
        line: 1,
        column: 5,
        text: '\ufffdt\ufffd foo',
        start: 4,
        end: 7,
        clipped: false,
      };
      same(latin, shown, 'Bytes that are not UTF-8.');
      const names = (await found(t, repo, { q: 'foo', path: 'dir/', ref: 'main' })).map(({ path }) => path);
      same([...new Set(names)], ['dir/a.txt', 'dir/crlf', 'dir/latin', 'dir/utf8'], 'The files of a folder.');
      const distant = tree({ near: blob('foo'), ['x'.repeat(2049)]: blob('foo') });
      const far = commit('far', distant);
      const other = await repoWith(t, { 'refs/heads/main': far }, [far, distant, blob('foo')]);
      const result: ShownSearch = assertSuccess(await t.rest('GET', url(other, { q: 'foo' })), 200, 'a long path');
      same([result.matches.length, result.skipped], [1, 1], 'A file with too long a path is left out, and counted.');
    },
  },
  {
    id: 'rest/search/refused',
    requirements: ['LIM-036', 'REPO-036', 'REPO-293', 'REPO-296', 'REPO-297'],
    level: 'MUST',
    beyond: true,
    explanation: 'Queries, limits, cursors and expressions out of bounds are refused, and so is what does not resolve.',
    async run(t) {
      const repo = await searched(t);
      const refused = async (
        query: Readonly<Record<string, string>>,
        pointer: string,
        message: string,
      ): Promise<unknown> => assertRefused(t, ['GET', url(repo, query)], badField(pointer, message));
      await refused({}, 'q', 'Invalid input: expected string, received undefined');
      await refused({ q: '' }, 'q', 'Too small: expected string to have >=1 characters');
      await refused({ q: 'x'.repeat(513) }, 'q', 'Too big: expected string to have <=512 characters');
      for (const q of ['a\nb', 'a\0b']) await refused({ q }, 'q', 'Invalid input: expected one line without NUL');
      await refused({ q: 'x', limit: '0' }, 'limit', 'Too small: expected number to be >=1');
      await refused({ q: 'x', regex: '1' }, 'regex', 'Invalid option: expected one of "true"|"false"');
      await refused({ q: 'x', limit: '1001' }, 'limit', 'Too big: expected number to be <=1000');
      for (const q of ['(', '(a)\\1', '(?=a)', '(?:ab){400}']) {
        const { status, json } = await t.rest('GET', url(repo, { q, regex: 'true' }));
        const start = json.errors[0]?.message.slice(0, 28);
        same([status, start], [400, 'Invalid regular expression: '], q);
      }
      const { cursor } = (await t.rest('GET', url(repo, { q: 'foo', limit: '1' }))).json.result_info as {
        cursor: string;
      };
      await assertRefused(t, ['GET', url(repo, { q: 'fo', cursor })], failures.cursor);
      for (const other of [{ path: 'dir' }, { ref: 'main' }, { regex: 'true' }, { ignore_case: 'true' }]) {
        await assertRefused(t, ['GET', url(repo, { q: 'foo', ...other, cursor })], failures.cursor);
      }
      await assertRefused(t, ['GET', url(repo, { q: 'foo', path: 'none' })], notFound.file);
      await assertRefused(t, ['GET', url(repo, { q: 'foo', ref: 'none' })], notFound.ref);
      await assertRefused(t, ['GET', url(await t.createRepo(), { q: 'foo' })], notFound.ref);
      await assertRefused(t, ['GET', `/namespaces/${t.namespace}/repos/none/search?q=x`], failures.noRepo);
      assertSuccess(await t.rest('GET', url(repo, { q: 'foo', cursor: '' })), 200, 'an empty cursor');
    },
  },
);
