/** REPO-260 to REPO-269 of docs/specification/repositories.md: listings, filtered logs, and many files at once. */

import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import type { ShownCommit, ShownEntry } from '../../../core/shown-content.ts';
import { logOf, pathOf, readBytes } from '../../../steps/content.ts';
import { mirrored } from '../../../steps/imports.ts';
import { assertFailure, assertRefused, assertSuccess, badField, failures } from '../../../steps/replies.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { assertMembers } from '../../../steps/values.ts';
import { blob, commit, made, tree, type MadeObject } from '../../../tools/made-objects.ts';
import { same } from '../../../tools/same.ts';
import { walked } from '../lists/walks.ts';
import { notFound } from './failures.ts';

/** An entry of a listing (REPO-262). */
interface ListedEntry extends ShownEntry {
  readonly path: string;
  readonly size: number | null;
}

/** A merge of two lines, with files in folders, and one file that is not text. */
async function mergedRepo(t: Context): Promise<{ repo: TestRepo; cwd: string }> {
  const [one, two, odd] = [blob('one\n'), blob('two\n'), blob(Buffer.from([0xff, 0, 0x80]))];
  const objects: MadeObject[] = [one, two, odd];
  const folder = (entries: Readonly<Record<string, MadeObject>>): MadeObject => {
    const made = tree(entries);
    objects.push(made);
    return made;
  };
  const node = (message: string, root: MadeObject, ...parents: MadeObject[]): MadeObject => {
    const made = commit(message, root, parents);
    objects.push(made);
    return made;
  };
  const before = folder({ a: one, d: folder({ e: folder({ f: one, g: two }), x: odd }) });
  const after = folder({ a: two, d: folder({ e: folder({ f: one, g: two }), x: odd }) });
  const both = folder({ a: two, d: folder({ e: folder({ f: two, g: two }), x: odd }) });
  const first = node('first', before);
  const left = node('left', after, first);
  const right = made('commit', commit('right', before, [first]).body.toString().replace('Ada', 'Bee'));
  objects.push(right);
  const merge = node('merge', both, left, right);
  const top = node('top', both, merge);
  const repo = await repoWith(t, { 'refs/heads/main': top, 'refs/heads/side/x': right }, objects);
  return { repo, cwd: await mirrored(t, repo) };
}

const lines = (text: string): string[] => text.split('\n').filter(Boolean);

/** Moves the branch `main` forward by a commit that adds a file. */
async function moveOn(t: Context, repo: TestRepo, path: string): Promise<void> {
  const author = { name: 'Ada', email: 'ada@example.com' };
  const body = { branch: 'main', message: 'more', author, changes: [{ op: 'put', path, content: 'more\n' }] };
  assertSuccess(await t.rest('POST', `${pathOf(repo)}/commits`, { body }), 201, 'a commit');
}

export const contentReading: Suite = suite(
  {
    id: 'rest/content/revision-steps',
    requirements: ['REPO-260'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation: 'A revision may end in steps to parents, wherever one is taken, as for git rev-parse.',
    async run(t) {
      const { repo, cwd } = await mergedRepo(t);
      for (const ref of ['HEAD~', 'main^^2', 'HEAD~1^2~1', 'side/x~1', 'main^0', 'refs/heads/main~2']) {
        const hash = (await t.git(['rev-parse', ref], { cwd })).trim();
        const query = `ref=${encodeURIComponent(ref)}`;
        same((await logOf(t, repo, `${query}&limit=1`))[0]?.hash, hash, `log?${query}`);
        const expected = await t.git(['show', `${ref}:a`], { cwd });
        same((await readBytes(t, repo, `/file?${query}&path=a`)).body.toString(), expected, `file?${query}`);
        same(
          (await readBytes(t, repo, `/raw/${encodeURIComponent(ref)}/a`)).body.toString(),
          expected,
          `raw of ${ref}`,
        );
      }
      for (const ref of ['main~9', 'main^3', '~1', 'main^{commit}', 'none~1', 'main~x']) {
        const path = `${pathOf(repo)}/file?ref=${encodeURIComponent(ref)}&path=a`;
        await assertRefused(t, ['GET', path], notFound.file);
      }
    },
  },
  {
    id: 'rest/content/tree-listings',
    requirements: ['LIM-028', 'REPO-093', 'REPO-261', 'REPO-262'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation: 'A folder of a revision is listed as by git ls-tree, to any depth and in pages of any size.',
    async run(t) {
      const { repo, cwd } = await mergedRepo(t);
      const base = `${pathOf(repo)}/tree`;
      const rows = lines(await t.git(['ls-tree', '-r', '-t', '-l', 'HEAD'], { cwd })).map((row) => row.split(/\s+/));
      const expected = rows.map(([mode = '', kind, hash, size, path = '']) => ({
        name: path.slice(path.lastIndexOf('/') + 1),
        mode: mode.replace(/^0/, ''),
        hash,
        type: kind,
        path,
        size: size === '-' ? null : Number(size),
      }));
      const below = (path: string, depth: number): typeof expected =>
        expected.filter((one) => {
          const rest = path === '' ? one.path : one.path.slice(path.length + 1);
          return one.path.startsWith(path === '' ? '' : `${path}/`) && rest.split('/').length <= depth;
        });
      const list = (query: string): Promise<readonly ListedEntry[]> => walked<ListedEntry>(t, `${base}?${query}`);
      same(await list('recursive=true'), expected, 'all entries');
      same(await list('limit=1000'), below('', 1), 'the root alone');
      same(await list('path=/d/./&ref=main'), below('d', 1), 'a folder');
      same((await t.rest('GET', base)).json.result_info.per_page, 1000, 'A page has 1,000 entries by default.');
      for (const limit of [1, 2]) {
        same(await list(`recursive=true&limit=${limit}`), expected, `pages of ${limit}`);
        same(await list(`depth=2&path=d&limit=${limit}`), below('d', 2), `two levels in pages of ${limit}`);
      }
      const reply = await t.rest('GET', `${base}?limit=1&path=d`);
      assertMembers(
        assertSuccess(reply, 200, 'a page')[0],
        ['name', 'mode', 'hash', 'type', 'path', 'size'],
        'an entry',
      );
      const { cursor } = reply.json.result_info as { cursor: string };
      for (const query of [`cursor=${cursor}`, `path=d&depth=2&cursor=${cursor}`, 'cursor=x']) {
        await assertRefused(t, ['GET', `${base}?${query}`], failures.cursor);
      }
      await moveOn(t, repo, 'd/a');
      const rest = await t.rest('GET', `${base}?limit=9&path=d&cursor=${cursor}`);
      same(assertSuccess(rest, 200, 'the next page'), below('d', 1).slice(1), 'A cursor stays with its commit.');
      await assertRefused(t, ['GET', `${base}?ref=none`], notFound.ref);
      for (const path of ['a', 'none', 'd/../d', 'd/e/f']) {
        await assertRefused(t, ['GET', `${base}?path=${path}`], notFound.tree);
      }
      await assertRefused(t, ['GET', `${base}?limit=0`], badField('limit', 'Too small: expected number to be >=1'));
      await assertRefused(t, ['GET', `${base}?limit=1001`], badField('limit', 'Too big: expected number to be <=1000'));
      await assertRefused(t, ['GET', `${base}?depth=0`], badField('depth', 'Too small: expected number to be >=1'));
      const options = 'Invalid option: expected one of "true"|"false"';
      await assertRefused(t, ['GET', `${base}?recursive=1`], badField('recursive', options));
    },
  },
  {
    id: 'rest/content/filtered-logs',
    requirements: ['REPO-093', 'REPO-265', 'REPO-266', 'REPO-267', 'REPO-268'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation: 'A log by path, parents, author and time, or from several revisions, is that of git log, in pages.',
    async run(t) {
      const { repo, cwd } = await mergedRepo(t);
      const base = `${pathOf(repo)}/log`;
      const asked: readonly (readonly [query: string, args: readonly string[]])[] = [
        ['parents=all', ['HEAD']],
        ['parents=first', ['--first-parent', 'HEAD']],
        ['path=a&parents=all', ['HEAD', '--', 'a']],
        ['path=d/e', ['--first-parent', 'HEAD', '--', 'd/e']],
        ['path=none', ['HEAD', '--', 'none']],
        ['ref=main~2%20side/x&parents=all', ['main~2', 'side/x']],
        ['author=Bee&parents=all', ['-F', '--author=Bee', 'HEAD']],
        ['author=bee&parents=all', ['-F', '--author=bee', 'HEAD']],
        ['parents=all&since=1700000000&until=1700000000', ['HEAD']],
        ['parents=all&since=1700000001', ['--since=@1700000001', 'HEAD']],
        ['parents=all&until=1699999999', ['--until=@1699999999', 'HEAD']],
      ];
      for (const [query, args] of asked) {
        const expected = lines(await t.git(['log', '--format=%H', ...args], { cwd }));
        for (const limit of [1, 50]) {
          const found: string[] = [];
          for (let cursor: string | undefined = ''; cursor !== undefined;) {
            const reply = await t.rest('GET', `${base}?${query}&limit=${limit}&cursor=${cursor}`);
            const page = assertSuccess(reply, 200, query) as readonly ShownCommit[];
            assertMembers(reply.json.result_info, ['cursor', 'per_page', 'count'], 'the cursor form');
            found.push(...page.map(({ hash }) => hash));
            cursor = reply.json.result_info.cursor === '' ? undefined : reply.json.result_info.cursor;
          }
          same(found, expected, `log?${query} in pages of ${limit}`);
        }
      }
      const first = await t.rest('GET', `${base}?parents=all&limit=1&offset=1`);
      const all = lines(await t.git(['log', '--format=%H'], { cwd }));
      same(assertSuccess(first, 200, 'an offset')[0]?.hash, all[1], 'An offset skips commits of the result.');
      const { cursor } = first.json.result_info as { cursor: string };
      await moveOn(t, repo, 'b');
      const next = await t.rest('GET', `${base}?parents=all&limit=2&offset=9&cursor=${cursor}`);
      const hashes = (assertSuccess(next, 200, 'the next page') as readonly ShownCommit[]).map(({ hash }) => hash);
      same(hashes, all.slice(2, 4), 'A cursor stays with its history, and an offset has no effect.');
      const unresolved = await t.rest('GET', `${base}?parents=all&ref=none`);
      if (t.dialect.refusesUnresolvedLog) assertFailure(t, unresolved, notFound.ref, 'a ref that does not resolve');
      else same(assertSuccess(unresolved, 200, 'a ref that does not resolve'), [], 'No commits.');
      const empty = await t.rest('GET', `${pathOf(await t.createRepo())}/log?parents=all`);
      same(assertSuccess(empty, 200, 'an empty repo'), [], 'No commits.');
      const long = badField('author', 'Too big: expected string to have <=512 characters');
      await assertRefused(t, ['GET', `${base}?author=${'x'.repeat(513)}`], long);
      for (const query of [`cursor=${cursor}`, `parents=all&path=a&cursor=${cursor}`, 'parents=all&cursor=x']) {
        await assertRefused(t, ['GET', `${base}?${query}`], failures.cursor);
      }
      const options = 'Invalid option: expected one of "first"|"all"';
      await assertRefused(t, ['GET', `${base}?parents=none`], badField('parents', options));
      const many = Array.from({ length: 65 }, () => 'main').join('%20');
      const tooMany = badField('ref', 'Too big: expected array to have <=64 items');
      await assertRefused(t, ['GET', `${base}?ref=${many}`], tooMany);
    },
  },
  {
    id: 'rest/content/many-files',
    requirements: ['LIM-029', 'REPO-264', 'REPO-269'],
    level: 'MUST',
    beyond: true,
    needs: ['git', 'read token'],
    explanation: 'Many files of a revision come in one reply, with an error for each that is missing or does not fit.',
    async run(t) {
      const { repo, cwd } = await mergedRepo(t);
      const path = `${pathOf(repo)}/files`;
      const read = async (body: object): Promise<{ commit: string; files: readonly unknown[] }> =>
        assertSuccess(await t.rest('POST', path, { body, token: t.readToken }), 200, 'POST files');
      const { commit: hash, files } = await read({ ref: 'main~1', paths: ['/a', 'd/x', 'd', 'none', 'a'] });
      same(hash, (await t.git(['rev-parse', 'main~1'], { cwd })).trim(), 'The commit.');
      const shared = { mode: '100644', error: null };
      const a = { hash: blob('two\n').oid, size: 4, encoding: 'utf-8', content: 'two\n' };
      const odd = { hash: blob(Buffer.from([0xff, 0, 0x80])).oid, size: 3, encoding: 'base64', content: '/wCA' };
      const missing = { code: 10200, message: 'File not found', reason: 'file_not_found' };
      const none = { mode: null, hash: null, size: null, encoding: null, content: null, error: missing };
      same(
        files,
        [
          { path: '/a', ...shared, ...a },
          { path: 'd/x', ...shared, ...odd },
          { path: 'd', ...none },
          { path: 'none', ...none },
          { path: 'a', ...shared, ...a },
        ],
        'The files, in the order of the request.',
      );
      const [half, rest] = [blob('x'.repeat(1_048_577)), blob('y')];
      const root = tree({ half, rest });
      const top = commit('large', root);
      const large = await repoWith(t, { 'refs/heads/main': top }, [half, rest, root, top]);
      const reply = await t.rest('POST', `${pathOf(large)}/files`, { body: { paths: ['half', 'half', 'rest'] } });
      const sizes = (
        assertSuccess(reply, 200, 'large files').files as { content: string | null; error: unknown }[]
      ).map(({ content, error }) => [content?.length ?? null, error]);
      const message = 'The file does not fit into this reply';
      same(
        sizes,
        [
          [1_048_577, null],
          [null, { code: 10402, message, reason: 'reply_full' }],
          [1, null],
        ],
        'What fits.',
      );
      await assertRefused(t, ['POST', path, { ref: 'none', paths: ['a'] }], notFound.ref);
      const bad: readonly (readonly [paths: unknown, message: string])[] = [
        [undefined, 'Invalid input: expected array, received undefined'],
        ['a', 'Invalid input: expected array, received string'],
        [[], 'Too small: expected array to have >=1 items'],
        [Array.from({ length: 1001 }, () => 'a'), 'Too big: expected array to have <=1000 items'],
        [['a', 5], 'Invalid input: expected string, received number'],
      ];
      for (const [paths, text] of bad) await assertRefused(t, ['POST', path, { paths }], badField('paths', text));
    },
  },
);
