/** GIT-150 to GIT-159 of docs/specification/git.md: pushes as transactions. */

import assert from 'node:assert/strict';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { advertised } from '../../../tools/advertised.ts';
import { expectNotOurs } from '../../../tools/hosted-objects.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { sameReport } from '../../../tools/push-reports.ts';
import { same } from '../../../tools/same.ts';
import { slowPush } from '../../../steps/slow-push.ts';
import { commandBody, linesOf, listedRefs, post, push, remove, set } from '../../../tools/wire-client.ts';

const first = change('first');
const second = change('second', first);

/** Creates a repo with `refs/heads/main` at the first commit, which also holds the second one. */
function repoOfTwo(t: Context): Promise<TestRepo> {
  const refs = { 'refs/heads/main': first, 'refs/keep/second': second };
  return repoWith(t, refs, [...first.all, ...second.all]);
}

async function recordOf(t: Context, repo: TestRepo): Promise<Record<string, string>> {
  return (await t.rest('GET', `/namespaces/${repo.namespace}/repos/${repo.name}`)).json.result;
}

/** Declares a case with a repo that is deleted during a push. */
function deletedDuring(what: string, explanation: string, withPack: boolean): Case {
  return {
    id: `git/transactions/deleted-during-${what}`,
    requirements: ['GIT-158', 'GIT-025'],
    level: 'MUST',
    needs: ['control plane', 'streaming'],
    explanation,
    async run(t) {
      const refs = { 'refs/heads/main': first, 'refs/heads/other': first };
      const repo = await repoWith(t, refs, first.all);
      const ref = withPack ? 'refs/heads/main' : 'refs/heads/other';
      const command = withPack ? set(ref, second, first) : remove(ref, first);
      const running = await slowPush(repo, [command], withPack ? pack(...second.all) : Buffer.alloc(0));
      const path = `/namespaces/${repo.namespace}/repos/${repo.name}`;
      assert.equal((await t.rest('DELETE', path)).status, 202, 'The repo is deleted meanwhile.');
      const { status, text, report } = await running.end();
      if (status === 200)
        same(report, ['unpack ok', `ng ${ref} repository deleted`], 'The report says that the repo is gone.');
      else same([status, text], [403, 'Invalid or expired token'], 'The push is refused like any to such a repo.');
      const again = await t.createRepo({ name: repo.name });
      same(
        await listedRefs(again),
        { HEAD: 'unborn symref-target:refs/heads/main' },
        'A new repo of the name has nothing of the push.',
      );
    },
  };
}

export const gitTransactions: Suite = suite(
  {
    id: 'git/transactions/each-alone',
    requirements: ['GIT-152'],
    level: 'MUST',
    explanation: 'Without atomic each command stands alone: refused ones do not hold back the others.',
    async run(t) {
      const repo = await repoOfTwo(t);
      const commands = [
        set('refs/heads/a', first),
        set('refs/heads/main', second, second),
        set('HEAD', first),
        set('refs/heads/b', first),
      ];
      sameReport(
        repo,
        await push(repo, commands, pack()),
        ['unpack ok', 'ok refs/heads/a', 'ng refs/heads/main stale ref', 'ng HEAD funny refname', 'ok refs/heads/b'],
        'Each command has its own result.',
      );
      same(
        Object.keys(await listedRefs(repo)),
        ['HEAD', 'refs/heads/a', 'refs/heads/b', 'refs/heads/main', 'refs/keep/second'],
        'What was ok is there.',
      );
      sameReport(
        repo,
        await push(
          repo,
          [set('HEAD', first), set('refs/heads/main', second, second), set('refs/heads/c', first)],
          pack(),
        ),
        ['unpack ok', 'ng HEAD funny refname', 'ng refs/heads/main stale ref', 'ok refs/heads/c'],
        'A result stays with its command behind a refused one.',
      );
    },
  },
  {
    id: 'git/transactions/atomic',
    requirements: ['GIT-151'],
    level: 'MUST',
    beyond: true,
    explanation: 'With atomic one refusal refuses all: its own reason for it, atomic push failure for the others.',
    async run(t) {
      const repo = await repoOfTwo(t);
      const capabilities = await advertised(repo, 'git-receive-pack', 0);
      if (!capabilities.includes('atomic')) t.unsupported(`atomic is not advertised: ${capabilities.join(', ')}`);
      const before = await listedRefs(repo);
      const unseen = change('unseen');
      for (const [command, reason] of [
        [set('refs/heads/main', second, second), 'stale ref'],
        [set('HEAD', first), 'funny refname'],
        [set('refs/heads/main/x', first), 'conflicts with refs/heads/main'],
        [set('refs/heads/x', unseen), 'missing necessary objects'],
        [set('refs/heads/x', first.root), 'not a commit'],
        [remove('refs/heads/none', first), 'stale ref'],
      ] as const) {
        const all = [set('refs/heads/a', first), command, set('refs/heads/b', first)];
        sameReport(
          repo,
          await push(repo, all, pack(), 'atomic'),
          [
            'unpack ok',
            'ng refs/heads/a atomic push failure',
            `ng ${command.ref as string} ${reason}`,
            'ng refs/heads/b atomic push failure',
          ],
          `One command is refused: ${reason}.`,
        );
        same(await listedRefs(repo), before, 'No ref has changed.');
      }
      sameReport(
        repo,
        await push(repo, [remove('refs/keep/second', second), set('refs/heads/main/x', first)], pack(), 'atomic'),
        ['unpack ok', 'ng refs/keep/second atomic push failure', 'ng refs/heads/main/x conflicts with refs/heads/main'],
        'A deletion is held back like the others.',
      );
      same(await listedRefs(repo), before, 'No ref was deleted.');
      const all = [set('refs/heads/a', first), set('refs/heads/b', first), remove('refs/heads/main', first)];
      await accepted(repo, all, pack(), 'atomic');
      same(
        Object.keys(await listedRefs(repo)),
        ['HEAD', 'refs/heads/a', 'refs/heads/b', 'refs/keep/second'],
        'Only the accepted push has changed refs.',
      );
    },
  },
  {
    id: 'git/transactions/cut-off',
    requirements: ['GIT-153', 'GIT-148'],
    level: 'MUST',
    needs: ['streaming'],
    explanation: 'A push whose connection breaks is as if it had never been, and can be sent again.',
    async run(t) {
      const repo = await repoOfTwo(t);
      const lost = change('lost', first);
      const before = await listedRefs(repo);
      const command = set('refs/heads/lost', lost);
      const cut = await slowPush(repo, [command], pack(...lost.all));
      await cut.abort();
      same(await listedRefs(repo), before, 'No ref has changed.');
      await expectNotOurs(repo, lost, 'No object of it can be fetched.');
      sameReport(
        repo,
        await push(repo, [command], pack()),
        ['unpack ok', 'ng refs/heads/lost missing necessary objects'],
        'No object of it can be pushed to.',
      );
      await accepted(repo, [command], pack(...lost.all));
      assert.equal((await listedRefs(repo))['refs/heads/lost'], lost.oid, 'The same push sent again succeeds.');
    },
  },
  {
    id: 'git/transactions/overtaken',
    requirements: ['GIT-125', 'GIT-152', 'GIT-157'],
    level: 'MUST',
    needs: ['streaming'],
    explanation: 'A push finds its ref stale if another one was faster; its other commands stand.',
    async run(t) {
      const repo = await repoOfTwo(t);
      const [slow, fast] = [change('slow', first), change('fast', first)];
      const commands = [set('refs/heads/main', slow, first), set('refs/heads/slow', slow)];
      const running = await slowPush(repo, commands, pack(...slow.all));
      await accepted(repo, [set('refs/heads/main', fast, first)], pack(...fast.all));
      const { report } = await running.end();
      const expected = ['unpack ok', 'ng refs/heads/main stale ref', 'ok refs/heads/slow'];
      sameReport(repo, report, expected, 'The slow push is told so.');
      const refs = await listedRefs(repo);
      same([refs['refs/heads/main'], refs['refs/heads/slow']], [fast.oid, slow.oid], 'Each ref is where it should be.');
    },
  },
  deletedDuring('push', 'A push with a pack to a repo that is deleted meanwhile changes nothing and says so.', true),
  deletedDuring('delete', 'A push of deletes to a repo that is deleted meanwhile changes nothing and says so.', false),
  {
    id: 'git/transactions/other-repos',
    requirements: ['GIT-154', 'GIT-149', 'GIT-060'],
    level: 'MUST',
    beyond: true,
    explanation: 'What only another repo has is out of reach: for wants, haves and the check of what a push needs.',
    async run(t) {
      const theirs = change('theirs');
      const shared = change('shared');
      const refs = { 'refs/heads/main': theirs, 'refs/heads/shared': shared };
      await repoWith(t, refs, [...theirs.all, ...shared.all]);
      const repo = await repoWith(t, { 'refs/heads/main': shared }, shared.all);
      for (const object of theirs.all) await expectNotOurs(repo, object, 'An object of another repo is not fetched.');
      const { body } = await post(repo, commandBody('fetch', [`want ${shared.oid}`, `have ${theirs.oid}`]));
      same(linesOf(body), ['acknowledgments', 'NAK', 'flush'], 'A commit of another repo is not common.');
      if ((await advertised(repo, 'git-upload-pack', 2)).some((word) => word.startsWith('object-info'))) {
        const asked = ['size', ...theirs.all.map(({ oid }) => `oid ${oid}`)];
        const told = linesOf((await post(repo, commandBody('object-info', asked))).body);
        same(told, ['size', ...theirs.all.map(({ oid }) => `${oid} `), 'flush'], 'No size is told of what they have.');
      }
      const above = change('above', theirs);
      for (const [value, bytes] of [
        [theirs, pack()],
        [above, pack(...above.all)],
      ] as const) {
        sameReport(
          repo,
          await push(repo, [set('refs/heads/stolen', value)], bytes),
          ['unpack ok', 'ng refs/heads/stolen missing necessary objects'],
          'A push cannot lean on a commit of another repo.',
        );
      }
    },
  },
  {
    id: 'git/transactions/times',
    requirements: ['GIT-159', 'REPO-057'],
    level: 'MUST',
    beyond: true,
    needs: ['control plane'],
    explanation: 'A push sets its time in the record at once, and so does a push that only deletes.',
    async run(t) {
      const repo = await t.createRepo();
      await accepted(repo, [set('refs/heads/main', first)], pack(...first.all));
      const pushed = await recordOf(t, repo);
      assert.match(pushed['last_push_at'] ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, 'last_push_at is set.');
      assert.equal(pushed['updated_at'], pushed['last_push_at'], 'updated_at is the same time.');
      const age = Date.now() - Date.parse(pushed['last_push_at'] as string);
      assert.ok(Math.abs(age) < 3_600_000, 'It is the time of the push, if both clocks are right within an hour.');
      // Times have milliseconds.
      await new Promise((resolve) => setTimeout(resolve, 2));
      await accepted(repo, [remove('refs/heads/main', first)]);
      const deleted = await recordOf(t, repo);
      assert.ok((deleted['last_push_at'] as string) > (pushed['last_push_at'] as string), 'A delete is a push, too.');
      assert.equal(deleted['updated_at'], deleted['last_push_at'], 'updated_at follows.');
    },
  },
);
