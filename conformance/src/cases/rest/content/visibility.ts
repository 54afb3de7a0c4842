/** REPO-142 of docs/specification/repositories.md: the readable objects. */

import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { commitOf, expectBytes, pathOf, readBytes, treeOf } from '../../../steps/content.ts';
import {
  blob,
  change,
  commit,
  made,
  pack,
  tag,
  tree,
  type MadeCommit,
  type MadeObject,
} from '../../../tools/made-objects.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { push, remove, set } from '../../../tools/wire-client.ts';
import { same } from '../../../tools/same.ts';
import { assertFailure, assertRefused, assertSuccess, failures } from '../../../steps/replies.ts';
import { notFound } from './failures.ts';

async function expectReadable(t: Context, repo: TestRepo, { oid, root, file }: MadeCommit): Promise<void> {
  same((await commitOf(t, repo, oid)).treeHash, root.oid, 'The commit is there.');
  same((await treeOf(t, repo, root.oid))[0]?.hash, file.oid, 'Its tree is there.');
  expectBytes(await readBytes(t, repo, `/blob/${file.oid}`), file.oid, file.body, 'its file');
}

async function expectUnknown(t: Context, repo: TestRepo, objects: readonly MadeObject[]): Promise<void> {
  for (const { oid, kind } of objects) {
    if (kind === 'tag') continue;
    await assertRefused(t, ['GET', `${pathOf(repo)}/${kind}/${oid}`], notFound[kind]);
  }
}

export const contentVisibility: Suite = suite(
  {
    id: 'rest/content/reachable',
    requirements: ['REPO-142'],
    level: 'MUST',
    explanation:
      'Whatever any ref reaches is readable: old commits, what only tags or odd refs lead to, merges of others.',
    async run(t) {
      const [a, b, side, tagged, odd] = [change('a'), change('b'), change('side'), change('tagged'), change('odd')];
      const merged = change('merged', b, side);
      const next = change('next', a);
      const [lone, loneTree] = [blob('lone'), tree({ lonely: blob('lonely') })];
      const named = tag('v1', tag('inner', tagged));
      const inner = tag('inner', tagged);
      const commits = [a, b, side, tagged, odd, merged, next];
      const repo = await repoWith(
        t,
        {
          'refs/heads/main': merged,
          'refs/heads/next': next,
          'refs/tags/v1': named,
          'refs/notes/x': odd,
          'refs/odd/blob': lone,
          'refs/odd/tree': loneTree,
        },
        [...commits.flatMap(({ all }) => all), named, inner, lone, loneTree, blob('lonely')],
      );
      for (const one of commits) await expectReadable(t, repo, one);
      for (const { oid, body } of [lone, blob('lonely')]) {
        expectBytes(await readBytes(t, repo, `/blob/${oid}`), oid, body, 'what no commit holds');
      }
      same((await treeOf(t, repo, loneTree.oid))[0]?.name, 'lonely', 'A tree that a ref points to.');
    },
  },
  {
    id: 'rest/content/not-of-this-repo',
    requirements: ['GIT-154', 'REPO-011', 'REPO-142'],
    level: 'MUST',
    beyond: true,
    explanation: 'No object that only another repo has, or a push that failed, is there.',
    async run(t) {
      const [shared, own, foreign, failed] = [change('shared'), change('own'), change('foreign'), change('failed')];
      const repo = await repoWith(t, { 'refs/heads/main': own, 'refs/heads/shared': shared }, [
        ...own.all,
        ...shared.all,
      ]);
      await repoWith(t, { 'refs/heads/main': foreign, 'refs/heads/shared': shared }, [...foreign.all, ...shared.all]);
      const report = await push(repo, [set('refs/heads/main', failed, shared)], pack(...failed.all));
      same(report, ['unpack ok', 'ng refs/heads/main stale ref'], 'The push fails.');
      await expectUnknown(t, repo, [...foreign.all, ...failed.all]);
      await expectReadable(t, repo, own);
      await expectReadable(t, repo, shared);
    },
  },
  {
    id: 'rest/content/unreached-in-pack',
    requirements: ['REPO-142'],
    level: 'MUST',
    explanation: 'What a push brought along that its refs do not reach is not there.',
    async run(t) {
      const first = change('first');
      const stray = change('stray');
      const repo = await repoWith(t, { 'refs/heads/main': first }, [...first.all, ...stray.all]);
      await expectReadable(t, repo, first);
      await expectUnknown(t, repo, stray.all);
      const missing = commit('half', made('tree', ''));
      await expectUnknown(t, repo, [missing]);
    },
  },
  {
    id: 'rest/content/left-behind',
    requirements: ['GIT-127', 'REPO-142'],
    level: 'MUST',
    explanation: 'What no ref reaches any more is readable or not; what one still does is.',
    async run(t) {
      const [base, lost, forced] = [change('base'), change('lost'), change('forced')];
      const top = change('top', base);
      const repo = await repoWith(
        t,
        { 'refs/heads/main': top, 'refs/heads/work': lost },
        [base, top, lost].flatMap(({ all }) => all),
      );
      await accepted(repo, [set('refs/heads/main', forced, top), remove('refs/heads/work', lost)], pack(...forced.all));
      await accepted(repo, [set('refs/heads/base', base)], pack());
      const readable: string[] = [];
      for (const one of [top, lost]) {
        const reply = await t.rest('GET', `${pathOf(repo)}/commit/${one.oid}`);
        if (reply.status === 200) {
          readable.push(one.oid);
          await expectReadable(t, repo, one);
        } else assertFailure(t, reply, notFound.commit, 'a commit that was left');
      }
      for (const one of [base, forced]) await expectReadable(t, repo, one);
      t.note(`${readable.length} of 2 commits that were left are readable`);
    },
  },
  {
    id: 'rest/content/deleted-repo',
    requirements: ['REPO-089', 'REPO-116', 'REPO-118'],
    level: 'MUST',
    beyond: true,
    explanation: 'Nothing of a deleted repo is readable, nor by the name of a new one.',
    async run(t) {
      const [old, fresh] = [change('old'), change('fresh')];
      const repo = await repoWith(t, { 'refs/heads/main': old }, old.all, { name: 'again' });
      await expectReadable(t, repo, old);
      assertSuccess(await t.rest('DELETE', pathOf(repo)), 202, 'DELETE');
      for (const path of [
        '/log',
        `/commit/${old.oid}`,
        `/tree/${old.root.oid}`,
        `/blob/${old.file.oid}`,
        '/file?path=file',
        '/raw/main/file',
      ]) {
        await assertRefused(t, ['GET', `${pathOf(repo)}${path}`], failures.noRepo);
      }
      const next = await repoWith(t, { 'refs/heads/main': fresh }, fresh.all, { name: 'AGAIN' });
      await expectUnknown(t, next, old.all);
      await expectReadable(t, next, fresh);
      await expectReadable(t, { ...next, name: 'again' }, fresh);
    },
  },
  {
    id: 'rest/content/permissions',
    requirements: ['REPO-032', 'REPO-080', 'REPO-081', 'REPO-082', 'REPO-083', 'REPO-084', 'REPO-085'],
    level: 'MUST',
    needs: ['read token'],
    explanation: 'Content is read with a token that may read, and with no repo token, of whatever scope.',
    async run(t) {
      const first = change('first');
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      for (const path of [
        '/log',
        `/commit/${first.oid}`,
        `/tree/${first.root.oid}`,
        `/blob/${first.file.oid}`,
        '/file?path=file',
        '/raw/main/file',
      ]) {
        const asked = `${pathOf(repo)}${path}`;
        same((await t.rest('GET', asked, { token: t.readToken })).status, 200, `${path} with a token that may read.`);
        for (const token of [null, repo.token, 'nobody']) {
          assertFailure(t, await t.rest('GET', asked, { token }), failures.authentication, `GET ${path}`);
        }
      }
    },
  },
);
