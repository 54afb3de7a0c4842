/** GIT-130 to GIT-133, GIT-160 and GIT-163 of docs/specification/git.md: HEAD, and empty repos. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { sameReport } from '../../../tools/push-reports.ts';
import { same } from '../../../tools/same.ts';
import { discover, listedRefs, push, remove, set } from '../../../tools/wire-client.ts';

const first = change('first');
const second = change('second', first);

/** Returns HEAD as all three versions report it: its value and the ref it names. */
async function headOf(repo: TestRepo): Promise<string | undefined> {
  const head = (await listedRefs(repo))['HEAD'];
  for (const version of [0, 1] as const) {
    const { lines } = await discover(repo, { version });
    const line = lines.find((found) => /^\S+ HEAD\0/.test(found));
    const symref = /symref=HEAD:(\S+)/.exec(lines.join(' '))?.[1];
    const told = line === undefined ? symref : `${line.slice(0, 40)} symref-target:${symref}`;
    same(told, head?.startsWith('unborn') ? undefined : head, `Version ${version} tells the HEAD of version 2.`);
  }
  return head;
}

/** Clones with stock git. Returns the folder. */
async function clone(t: Context, repo: TestRepo, version: string, ...more: readonly string[]): Promise<string> {
  const folder = await t.folder();
  await t.git(['-c', `protocol.version=${version}`, ...repo.auth, 'clone', '--quiet', ...more, repo.remote, folder]);
  return folder;
}

async function recordOf(t: Context, repo: TestRepo): Promise<Record<string, unknown>> {
  return (await t.rest('GET', `/namespaces/${repo.namespace}/repos/${repo.name}`)).json.result;
}

const trunk = { body: { default_branch: 'trunk' } };

const perVersion: Case[] = ['0', '1', '2'].flatMap((version): Case[] => [
  {
    id: `git/head/checked-out-version-${version}`,
    requirements: ['GIT-130', 'GIT-170'],
    level: 'MUST',
    needs: ['git'],
    explanation: `Stock git checks out the default branch of a clone, with protocol.version ${version}.`,
    async run(t) {
      const refs = { 'refs/heads/zzz': first, 'refs/heads/trunk': second, 'refs/heads/aaa': second };
      const repo = await repoWith(t, refs, [...first.all, ...second.all], trunk);
      const folder = await clone(t, repo, version);
      assert.equal(await t.git(['symbolic-ref', 'HEAD'], { cwd: folder }), 'refs/heads/trunk\n', 'HEAD is trunk.');
      const text = await t.git(['cat-file', 'blob', 'HEAD:file'], { cwd: folder });
      assert.equal(text, 'second\n', 'Its file has what was committed on trunk.');
    },
  },
  {
    id: `git/head/empty-clone-version-${version}`,
    requirements: ['GIT-131', 'GIT-160'],
    level: 'MUST',
    needs: ['git'],
    explanation: `An empty repo is listed as nothing, cloned, and takes a first push, with protocol.version ${version}.`,
    async run(t) {
      const repo = await t.createRepo(trunk);
      const protocol = ['-c', `protocol.version=${version}`, ...repo.auth];
      const listed = await t.tryGit([...protocol, 'ls-remote', repo.remote]);
      same([listed.status, listed.stdout.length], [0, 0], 'git ls-remote prints nothing and exits with 0.');
      const folder = await clone(t, repo, version);
      if (version === '2' && (await clientIsAtLeast(t, 2, 31))) {
        const head = await t.git(['symbolic-ref', 'HEAD'], { cwd: folder });
        assert.equal(head, 'refs/heads/trunk\n', 'The local branch is the default branch.');
      }
      const { status } = await t.tryGit([...protocol, 'fetch', 'origin'], { cwd: folder });
      assert.equal(status, 0, 'A fetch of it has nothing to do, and succeeds.');
      await t.git(['commit', '--quiet', '--allow-empty', '-m', 'first'], { cwd: folder });
      const branches = ['HEAD:refs/heads/trunk', 'HEAD:refs/heads/two'];
      await t.git([...protocol, 'push', '--quiet', repo.remote, ...branches], { cwd: folder });
      const head = (await t.git(['rev-parse', 'HEAD'], { cwd: folder })).trim();
      same(
        await listedRefs(repo),
        { HEAD: `${head} symref-target:refs/heads/trunk`, 'refs/heads/trunk': head, 'refs/heads/two': head },
        'The first push made both branches.',
      );
    },
  },
]);

async function clientIsAtLeast(t: Context, major: number, minor: number): Promise<boolean> {
  const [, x = '0', y = '0'] = /(\d+)\.(\d+)/.exec(await t.git(['--version'])) ?? [];
  return Number(x) > major || (Number(x) === major && Number(y) >= minor);
}

export const gitHead: Suite = suite(
  {
    id: 'git/head/which-branch',
    requirements: ['GIT-130', 'GIT-092'],
    level: 'MUST',
    explanation: 'HEAD is the default branch if it exists, else the only branch, else the default branch, unborn.',
    async run(t) {
      const repo = await t.createRepo(trunk);
      const unborn = 'unborn symref-target:refs/heads/trunk';
      assert.equal(await headOf(repo), unborn, 'In an empty repo it is unborn.');
      await accepted(repo, [set('refs/tags/t', first)], pack(...first.all, ...second.all));
      assert.equal(await headOf(repo), unborn, 'A tag is no branch.');
      await accepted(repo, [set('refs/heads/b', first)], pack());
      assert.equal(await headOf(repo), `${first.oid} symref-target:refs/heads/b`, 'It is the only branch.');
      await accepted(repo, [set('refs/heads/a', first)], pack());
      assert.equal(await headOf(repo), unborn, 'Of two branches none is the default one.');
      await accepted(repo, [set('refs/heads/trunk', second)], pack(...second.all));
      assert.equal(await headOf(repo), `${second.oid} symref-target:refs/heads/trunk`, 'It is the default branch.');
      await accepted(repo, [remove('refs/heads/trunk', second), remove('refs/heads/b', first)]);
      assert.equal(await headOf(repo), `${first.oid} symref-target:refs/heads/a`, 'It is the branch that is left.');
    },
  },
  {
    id: 'git/head/default-branch-deleted',
    requirements: ['GIT-132', 'GIT-130', 'GIT-126'],
    level: 'MUST',
    explanation: 'After the default branch was deleted the repo still lists its refs and takes pushes.',
    async run(t) {
      const refs = { 'refs/heads/main': second, 'refs/heads/a': first, 'refs/heads/b': first };
      const repo = await repoWith(t, refs, [...first.all, ...second.all]);
      await accepted(repo, [remove('refs/heads/main', second)]);
      assert.equal(await headOf(repo), 'unborn symref-target:refs/heads/main', 'HEAD is unborn.');
      const left = Object.keys(await listedRefs(repo));
      same(left, ['HEAD', 'refs/heads/a', 'refs/heads/b'], 'The other branches are there.');
      await accepted(repo, [set('refs/heads/main', first)], pack());
      assert.equal(await headOf(repo), `${first.oid} symref-target:refs/heads/main`, 'HEAD is the new branch.');
    },
  },
  {
    id: 'git/head/clone-without-default-branch',
    requirements: ['GIT-132'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'Stock git clones a repo whose default branch was deleted.',
    async run(t) {
      const refs = { 'refs/heads/main': first, 'refs/heads/a': first, 'refs/heads/b': first };
      const repo = await repoWith(t, refs, first.all);
      await accepted(repo, [remove('refs/heads/main', first)]);
      for (const version of ['0', '2']) {
        const cwd = await clone(t, repo, version, '--no-checkout');
        const branches = await t.git(['for-each-ref', '--format=%(refname)', 'refs/remotes'], { cwd });
        assert.equal(
          branches,
          'refs/remotes/origin/a\nrefs/remotes/origin/b\n',
          `The other branches come with protocol.version ${version}.`,
        );
      }
    },
  },
  {
    id: 'git/head/record-unchanged',
    requirements: ['GIT-133', 'GIT-121'],
    level: 'MUST',
    needs: ['control plane'],
    explanation: 'No push changes the default branch of the record, and HEAD is the only symbolic ref.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/other': first }, first.all, trunk);
      sameReport(
        repo,
        await push(repo, [set('HEAD', first)], pack()),
        ['unpack ok', 'ng HEAD funny refname'],
        'HEAD is not pushed to.',
      );
      await accepted(repo, [set('refs/heads/HEAD', first), set('refs/remotes/origin/HEAD', first)], pack());
      assert.equal(
        (await recordOf(t, repo))['default_branch'],
        'trunk',
        'The record names the branch it was made with.',
      );
      const symbolic = Object.entries(await listedRefs(repo)).filter(([, value]) => value.includes('symref-target'));
      same(
        symbolic.map(([name]) => name),
        ['HEAD'],
        'No other ref is symbolic, whatever its name.',
      );
    },
  },
  ...perVersion,
  {
    id: 'git/head/emptied',
    requirements: ['GIT-160', 'GIT-046'],
    level: 'MUST',
    explanation: 'A repo whose last ref was deleted is an empty one, and takes pushes again.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      await accepted(repo, [remove('refs/heads/main', first)]);
      same(await listedRefs(repo), { HEAD: 'unborn symref-target:refs/heads/main' }, 'Only an unborn HEAD is listed.');
      const { lines } = await discover(repo);
      assert.match(lines[2] ?? '', /^0{40} capabilities\^\{\}\0/, 'Version 0 lists no ref.');
      await accepted(repo, [set('refs/heads/main', first)], pack(...first.all));
    },
  },
  {
    id: 'git/head/sha256-client',
    requirements: ['GIT-163', 'GIT-050'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'Stock git with a repository of SHA-256 is refused, by itself or by the service, and nothing changes.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const cwd = join(await t.folder(), 'long');
      const made = await t.tryGit(['init', '--quiet', '--object-format=sha256', cwd]);
      if (made.status !== 0) t.skip('this git makes no repositories of SHA-256');
      await t.git(['commit', '--quiet', '--allow-empty', '-m', 'long ids'], { cwd });
      for (const command of [
        ['push', repo.remote, 'HEAD:refs/heads/long'],
        ['fetch', repo.remote, 'main'],
      ]) {
        for (const version of ['0', '2']) {
          const args = ['-c', `protocol.version=${version}`, ...repo.auth, ...command];
          const { status, stderr } = await t.tryGit(args, { cwd });
          assert.notEqual(status, 0, `git ${command[0]} fails with protocol.version ${version}.`);
          assert.match(stderr, /mismatched algorithms|object format|does not support/, 'It says why.');
        }
      }
      same(Object.keys(await listedRefs(repo)), ['HEAD', 'refs/heads/main'], 'No ref was made.');
    },
  },
);
