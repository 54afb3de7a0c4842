/** REPO-270 to REPO-276 of docs/specification/repositories.md: two commits compared, next to stock Git. */

import { suite, type Suite } from '../../core/case.ts';
import type { ShownCommit } from '../../core/shown-content.ts';
import { commitOf, pathOf, readBytes, readJson } from '../../steps/content.ts';
import { mirrored } from '../../steps/imports.ts';
import { forkOf } from '../../steps/forked.ts';
import { accepted, repoWith } from '../../steps/repo-with.ts';
import { assertRefused, assertSuccess, badField, failures } from '../../steps/replies.ts';
import { assertMembers } from '../../steps/values.ts';
import { dated } from '../../tools/dated-history.ts';
import { blob, change, commit, pack, tree } from '../../tools/made-objects.ts';
import { rawTree } from '../../tools/raw-tree.ts';
import { same } from '../../tools/same.ts';
import { set } from '../../tools/wire-client.ts';
import { notFound } from './content/failures.ts';

interface ShownFile {
  readonly path: string;
  readonly previous_path: string | null;
  readonly status: string;
  readonly old_mode: string | null;
  readonly new_mode: string | null;
  readonly old_hash: string | null;
  readonly new_hash: string | null;
  readonly similarity: number | null;
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
}

interface ShownComparison {
  readonly merge_base: string | null;
  readonly ahead: number;
  readonly behind: number;
  readonly commits: readonly ShownCommit[];
  readonly files: readonly ShownFile[];
  readonly truncated: boolean;
  readonly renames_limited: boolean;
}

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => `line ${from + i}\n`).join('');
const [long, edited, other] = [blob(lines(0, 40)), blob(lines(0, 38)), blob(lines(2, 30))];
const [binary, changed, gone] = [blob('a\0b'), blob('a\0c'), blob('gone')];
const folder = tree({ 'a b': long });
const renamed = tree({ 'caf\u00e9.txt': edited, new: other });
const oldRoot = tree({ binary, gone, kind: gone, run: gone, same: other, sub: folder });
const newRoot = rawTree(
  ['100644', 'binary', changed],
  ['120000', 'kind', gone],
  ['40000', 'other', renamed],
  ['100755', 'run', gone],
  ['100644', 'same', other],
);
const ours = tree({ binary, kind: gone, run: gone, same: other });

const start = commit('start', oldRoot);
const main = commit('main', ours, [start]);
const first = commit('first', tree({ binary: changed, same: other }), [start]);
const side = commit('side', newRoot, [first]);
const apart = change('apart');
const objects = [
  long,
  edited,
  other,
  binary,
  changed,
  gone,
  folder,
  renamed,
  oldRoot,
  newRoot,
  ours,
  tree({ binary: changed, same: other }),
  start,
  main,
  first,
  side,
  ...apart.all,
];
const refs = { 'refs/heads/main': main, 'refs/heads/side': side, 'refs/heads/apart': apart };

const letters: Readonly<Record<string, string>> = {
  added: 'A',
  deleted: 'D',
  modified: 'M',
  renamed: 'R',
  type_changed: 'T',
};

/** Returns the lines of `git diff --raw --no-abbrev` for the files of a comparison. */
function rawLines(files: readonly ShownFile[]): string {
  return files
    .map((file) => {
      const mode = (value: string | null): string => (value ?? '').padStart(6, '0');
      const hash = (value: string | null): string => value ?? '0'.repeat(40);
      const score = file.similarity === null ? '' : `${file.similarity}`.padStart(3, '0');
      const paths = file.previous_path === null ? [file.path] : [file.previous_path, file.path];
      const modes = `:${mode(file.old_mode)} ${mode(file.new_mode)}`;
      const hashes = `${hash(file.old_hash)} ${hash(file.new_hash)}`;
      return `${modes} ${hashes} ${letters[file.status]}${score}\0${paths.map((path) => `${path}\0`).join('')}`;
    })
    .join('');
}

export const compare: Suite = suite(
  {
    id: 'rest/compare/as-git-does',
    requirements: ['REPO-270', 'REPO-271', 'REPO-272', 'REPO-273'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation: 'A comparison has the merge base, commits, changed files, renames and line counts of stock git.',
    async run(t) {
      const repo = await repoWith(t, refs, objects);
      const cwd = await mirrored(t, repo);
      const shown = assertSuccess(
        await readJson(t, repo, '/compare?base=main&head=side'),
        200,
        'compare',
      ) as ShownComparison;
      assertMembers(
        shown,
        ['merge_base', 'ahead', 'behind', 'commits', 'files', 'truncated', 'renames_limited'],
        'a comparison',
      );
      same([shown.merge_base, shown.ahead, shown.behind], [start.oid, 2, 1], 'The histories.');
      same([shown.truncated, shown.renames_limited], [false, false], 'Nothing is left out.');
      same(shown.commits, [await commitOf(t, repo, side.oid), await commitOf(t, repo, first.oid)], 'The commits.');
      const members = ['path', 'previous_path', 'status', 'old_mode', 'new_mode', 'old_hash', 'new_hash', 'similarity'];
      const ofLines = ['additions', 'deletions', 'binary'];
      for (const file of shown.files) assertMembers(file, [...members, ...ofLines], 'a changed file');
      same(
        rawLines(shown.files),
        await t.git(['diff', '--raw', '-M', '--no-abbrev', '-z', 'main...side'], { cwd }),
        'The changed files.',
      );
      const counts = shown.files.map((file) => (file.binary ? '-\t-' : `${file.additions}\t${file.deletions}`));
      const theirs = await t.git(['diff', '--numstat', '-M', 'main...side'], { cwd });
      same(
        counts,
        theirs
          .trimEnd()
          .split('\n')
          .map((line) => line.split('\t').slice(0, 2).join('\t')),
        'The lines.',
      );
      const unrelated = assertSuccess(
        await readJson(t, repo, '/compare?base=main&head=apart'),
        200,
        'apart',
      ) as ShownComparison;
      same(
        [unrelated.merge_base, unrelated.ahead, unrelated.behind, unrelated.files.map(({ status }) => status)],
        [null, 1, 2, ['added']],
        'Histories without a common commit.',
      );
    },
  },
  {
    id: 'rest/compare/merge-bases',
    requirements: ['REPO-271'],
    level: 'MUST',
    beyond: true,
    explanation: 'Of several best common ancestors, the newest is the merge base.',
    async run(t) {
      const root = dated('root', 1_600_000_000);
      const [older, newer] = [dated('older', root.at + 1, root), dated('newer', root.at + 2, root)];
      const [left, right] = [dated('left', root.at + 3, older, newer), dated('right', root.at + 4, newer, older)];
      const crossed = { 'refs/heads/left': left, 'refs/heads/right': right };
      const repo = await repoWith(
        t,
        crossed,
        [root, older, newer, left, right].flatMap(({ all }) => all),
      );
      for (const ends of ['base=left&head=right', 'base=right&head=left']) {
        const { merge_base } = assertSuccess(await readJson(t, repo, `/compare?${ends}`), 200, ends) as ShownComparison;
        same(merge_base, newer.oid, `${ends}: the merge base.`);
      }
    },
  },
  {
    id: 'rest/compare/patch',
    requirements: ['REPO-274', 'REPO-150'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation: 'git apply makes the tree of the head from the patch and the merge base.',
    async run(t) {
      const repo = await repoWith(t, refs, objects);
      const cwd = await mirrored(t, repo);
      const patch = await readBytes(t, repo, '/compare?base=main&head=side', {
        headers: { accept: 'text/x-diff, application/json;q=0.5' },
      });
      same([patch.status, patch.headers.get('content-type')], [200, 'text/x-diff'], 'The reply.');
      same(patch.headers.get('x-content-type-options'), 'nosniff', 'Browsers do not guess.');
      same(patch.headers.get('content-security-policy'), "sandbox; default-src 'none'", 'Nothing in it acts.');
      // Compressed bytes may differ.
      const bare = (text: string): string => text.replaceAll(/^(literal|delta) \d+\n(?:[A-Za-z]\S*\n)+/gm, 'literal\n');
      const printed = await t.git(['diff', '-M', '--full-index', '--binary', 'main...side'], { cwd });
      same(bare(patch.body.toString()), bare(printed), 'The patch that git diff writes, apart from binary files.');
      const etag = patch.headers.get('etag') ?? '';
      same(etag.startsWith('W/"'), true, 'A weak tag.');
      const again = await readBytes(t, repo, '/compare?base=main&head=side', {
        headers: { accept: 'text/x-diff', 'if-none-match': etag },
      });
      same([again.status, again.body.length], [304, 0], 'The client has it.');
      // Caches must not mistake one form for the other (RFC 9110 section 12.5.5).
      const json = await readBytes(t, repo, '/compare?base=main&head=side', {
        headers: { accept: 'application/json, text/x-diff;q=0', 'if-none-match': etag },
      });
      same([json.status, json.headers.get('content-type')], [200, 'application/json'], 'The other form.');
      for (const reply of [patch, again, json]) {
        const varying = (reply.headers.get('vary') ?? '').toLowerCase().split(/ *, */);
        same(varying.includes('accept'), true, `${reply.status}: Accept in Vary.`);
      }
      await t.git(['read-tree', start.oid], { cwd });
      await t.git(['apply', '--cached', '-'], { cwd, input: patch.body });
      same((await t.git(['write-tree'], { cwd })).trim(), newRoot.oid, 'The tree after the patch.');
    },
  },
  {
    id: 'rest/compare/refused',
    requirements: ['REPO-271', 'REPO-036', 'REPO-314'],
    level: 'MUST',
    beyond: true,
    needs: [],
    explanation: 'Both revisions are required, and must resolve.',
    async run(t) {
      const repo = await repoWith(t, refs, objects);
      const path = (query: string): string => `${pathOf(repo)}/compare?${query}`;
      await assertRefused(t, ['GET', path('base=main&head=none')], { ...notFound.ref, pointer: '/head' });
      await assertRefused(t, ['GET', path(`base=${newRoot.oid}&head=none`)], { ...notFound.ref, pointer: '/base' });
      await assertRefused(
        t,
        ['GET', path('head=main')],
        badField('base', 'Invalid input: expected string, received undefined'),
      );
    },
  },
  {
    id: 'rest/compare/changes-of-a-commit',
    requirements: ['REPO-306'],
    level: 'MUST',
    beyond: true,
    explanation: 'A commit shows what it changes next to its first parent, as a comparison does.',
    async run(t) {
      const merge = commit('merge', newRoot, [main, side]);
      const repo = await repoWith(t, { 'refs/heads/main': merge }, [...objects, merge]);
      const read = async (path: string): Promise<Record<string, unknown>> =>
        assertSuccess(await readJson(t, repo, path), 200, path) as Record<string, unknown>;
      for (const [{ oid }, parent] of [
        [first, start],
        [merge, main],
      ] as const) {
        const plain = await read(`/commit/${oid}`);
        const { files, truncated, renames_limited } = await read(`/compare?base=${parent.oid}&head=${oid}`);
        const changes = { files, truncated, renames_limited };
        same(await read(`/commit/${oid}?include=changes`), { ...plain, changes }, 'A commit with a parent.');
      }
      const { changes } = await read(`/commit/${start.oid}?include=changes`);
      const added = (changes as ShownComparison).files.map(({ path, status }) => `${status} ${path}`);
      same(
        added,
        ['binary', 'gone', 'kind', 'run', 'same', 'sub/a b'].map((path) => `added ${path}`),
        'A commit without a parent.',
      );
      await assertRefused(t, ['GET', `${pathOf(repo)}/commit/${newRoot.oid}?include=changes`], notFound.commit);
      const failure = badField('include', 'Invalid option: expected one of "changes"');
      await assertRefused(t, ['GET', `${pathOf(repo)}/commit/${start.oid}?include=all`], failure);
    },
  },
  {
    id: 'rest/compare/fork',
    requirements: ['REPO-275', 'REPO-276'],
    level: 'MUST',
    beyond: true,
    explanation: 'Revisions of a fork and its parent are compared as if one repository had both.',
    async run(t) {
      const whole = await repoWith(t, refs, objects);
      const parent = await repoWith(t, { 'refs/heads/main': main }, objects);
      const fork = await forkOf(t, parent);
      await accepted(fork, [set('refs/heads/side', side)], pack(...objects));
      const grandchild = await forkOf(t, fork);
      const compared = async (repo: typeof whole, base: string, head: string): Promise<unknown> =>
        assertSuccess(await readJson(t, repo, `/compare?base=${base}&head=${head}`), 200, `${base} and ${head}`);
      const expected = await compared(whole, 'main', 'side');
      const [upper, inNamespace] = [fork.name.toUpperCase(), `${fork.namespace}%2F${fork.name}`];
      same(await compared(parent, 'main', `${upper}:side`), expected, 'The head is in the fork.');
      same(await compared(fork, `${parent.name}:main~0`, 'side'), expected, 'The base is in the parent.');
      same(await compared(grandchild, `${parent.name}:main`, `${inNamespace}:side`), expected, 'Both are elsewhere.');
      same(
        await compared(parent, `${fork.name}:side`, 'main'),
        await compared(whole, 'side', 'main'),
        'The other way round.',
      );
      const patchOf = async (repo: typeof whole, head: string): Promise<string> => {
        const headers = { accept: 'text/x-diff' };
        const reply = await readBytes(t, repo, `/compare?base=main&head=${head}`, { headers });
        return `${reply.status} ${reply.body.toString('latin1')}`;
      };
      same(await patchOf(parent, `${fork.name}:side`), await patchOf(whole, 'side'), 'The patch.');
      await assertRefused(t, ['GET', `${pathOf(parent)}/commit/${side.oid}`], notFound.commit);
    },
  },
  {
    id: 'rest/compare/family',
    requirements: ['REPO-275', 'REPO-118'],
    level: 'MUST',
    beyond: true,
    explanation: 'Only repositories of the same fork family are read, known by their ids, even after deletions.',
    async run(t) {
      const parent = await repoWith(t, refs, objects);
      const fork = await forkOf(t, parent);
      const sibling = await forkOf(t, parent);
      const grandchild = await forkOf(t, fork);
      const compared = async (repo: typeof parent, other: string): Promise<number> =>
        (await readJson(t, repo, `/compare?base=main&head=${other}:main`)).status;
      await t.rest('DELETE', pathOf(fork));
      await t.rest('DELETE', pathOf(parent));
      same(await compared(grandchild, sibling.name), 200, 'A sibling of a deleted parent.');
      const stranger = await repoWith(t, refs, objects, { name: parent.name });
      for (const [repo, other] of [
        [grandchild, stranger.name],
        [stranger, grandchild.name],
        [grandchild, fork.name],
        [grandchild, 'no/such/repo'],
      ] as const) {
        const failure = other.includes('/') ? { ...notFound.ref, pointer: '/head' } : failures.noRepo;
        await assertRefused(t, ['GET', `${pathOf(repo)}/compare?base=main&head=${other}:main`], failure);
      }
    },
  },
);
