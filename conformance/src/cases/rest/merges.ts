/** REPO-277 to REPO-286 of docs/specification/repositories.md: merges, cherry-picks and reverts without Git. */

import { suite, type Suite } from '../../core/case.ts';
import type { Context, TestRepo } from '../../core/context.ts';
import type { ShownMerge, ShownNewCommit } from '../../core/shown-content.ts';
import { commitOf, pathOf } from '../../steps/content.ts';
import { forkOf } from '../../steps/forked.ts';
import { accepted, repoWith } from '../../steps/repo-with.ts';
import {
  assertRefused,
  assertSuccess,
  badField,
  failures,
  refusedUpdate,
  staleRef,
  type Failure,
} from '../../steps/replies.ts';
import { assertMembers } from '../../steps/values.ts';
import { revision } from '../../steps/work-tree.ts';
import { expectIntact } from '../../tools/hosted-objects.ts';
import { blob, change, made, pack } from '../../tools/made-objects.ts';
import { same } from '../../tools/same.ts';
import { set } from '../../tools/wire-client.ts';
import { notFound } from './content/failures.ts';

const author = { name: 'Ada Ünal', email: 'ada@example.com', time: 1_795_165_100, timezone: '+0200' };
const committer = { name: 'C', email: 'c@example.com', time: 1, timezone: '-0330' };
/** The same people for stock git. */
const people = {
  GIT_AUTHOR_NAME: author.name,
  GIT_AUTHOR_EMAIL: author.email,
  GIT_AUTHOR_DATE: `${author.time} ${author.timezone}`,
  GIT_COMMITTER_NAME: committer.name,
  GIT_COMMITTER_EMAIL: committer.email,
  GIT_COMMITTER_DATE: `@${committer.time} ${committer.timezone}`,
};

type Kind = 'merges' | 'cherry-picks' | 'reverts';
type Body = Readonly<Record<string, unknown>>;
/** Contents by path; null deletes, and an array moves from there. */
type Changes = Readonly<Record<string, string | null | readonly [from: string]>>;

async function ask(
  t: Context,
  repo: Pick<TestRepo, 'namespace' | 'name'>,
  kind: Kind,
  body: Body,
  status = 201,
): Promise<ShownMerge> {
  return assertSuccess(
    await t.rest('POST', `${pathOf(repo)}/${kind}`, { body }),
    status,
    `${kind} ${JSON.stringify(body)}`,
  );
}

/** Commits changes to a branch. Returns the hash. */
async function write(t: Context, repo: TestRepo, branch: string, changes: Changes, from?: string): Promise<string> {
  const ops = Object.entries(changes).map(([path, content]) =>
    content === null
      ? { op: 'delete', path }
      : typeof content === 'string'
        ? { op: 'put', path, content }
        : { op: 'move', from: content[0], path },
  );
  const body = { branch, from, message: `Change ${Object.keys(changes).join(', ')}\n\nBody.\n`, author, changes: ops };
  const reply = await t.rest('POST', `${pathOf(repo)}/commits`, { body });
  return (assertSuccess(reply, 201, branch) as ShownNewCommit).commit;
}

/** Returns a file of lines, of which one is replaced. */
const lines = (number = -1, text = ''): string =>
  Array.from({ length: 12 }, (_, i) => `${i === number ? text : `line ${i}`}\n`).join('');

const bothMerge = { into: 'main', author, committer };

/** Creates a repo whose branches changed the same files: `main`, `clean` and `torn`, which conflicts with it. */
async function diverged(t: Context): Promise<TestRepo> {
  const repo = await t.createRepo();
  await write(t, repo, 'main', { a: lines(), gone: lines(), 'old/c': 'c\n', 'old/d': lines(3, 'd') });
  await write(t, repo, 'clean', { a: lines(10, 'theirs'), moved: ['old'] });
  await write(t, repo, 'torn', { a: lines(1, 'theirs'), gone: lines(3, 'kept'), 'x/y': 'theirs\n' }, 'main');
  await write(t, repo, 'main', { a: lines(1, 'ours'), gone: null, 'old/d': lines(3, 'd2'), x: 'ours\n' });
  return repo;
}

export const merges: Suite = suite(
  {
    id: 'rest/merges/as-git-merges',
    requirements: ['REPO-277', 'REPO-280', 'REPO-281', 'REPO-282'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation: 'Merges are the commits that stock git makes, and conflicts are the stages that it has.',
    async run(t) {
      const repo = await diverged(t);
      const work = await t.folder();
      await t.git([...repo.auth, 'clone', '--quiet', repo.remote, work]);
      const git = (...args: readonly string[]): Promise<string> => t.git(args, { cwd: work, env: people });
      for (const branch of ['clean', 'torn']) await git('branch', '--quiet', branch, `origin/${branch}`);
      /** Merges as stock git does, on a new branch. */
      const merged = async (branch: string, ...args: readonly string[]): Promise<string> => {
        await git('checkout', '--quiet', '-B', branch, 'origin/main');
        await git('merge', '--quiet', ...args);
        if (args.includes('--squash')) await git('commit', '--quiet', '-m', 'All of it');
        return await revision(t, work, 'HEAD');
      };
      const head = await revision(t, work, 'origin/main');
      const torn = await t.tryGit(['merge-tree', '--write-tree', '-z', 'origin/main', 'torn'], { cwd: work });
      const versions = new Map<string, Record<string, unknown>>();
      for (const field of Buffer.from(torn.stdout).toString().split('\0')) {
        const [, mode, hash, stage, path] = /^(\d{6}) ([0-9a-f]{40}) (\d)\t(.+)$/s.exec(field) ?? [];
        if (path === undefined) continue;
        const name = path.replace('origin_main', 'main');
        const known = versions.get(name) ?? { path: name, base: null, ours: null, theirs: null };
        versions.set(name, { ...known, [['base', 'ours', 'theirs'][Number(stage) - 1] as string]: { mode, hash } });
      }
      same([...versions.keys()], ['a', 'gone', 'x~main'], 'The paths in conflict.');
      const conflicts: Failure = {
        status: 409,
        code: 10206,
        message: 'The merge has conflicts',
        details: { conflicts: [...versions.values()], truncated: false },
      };
      await assertRefused(t, ['POST', `${pathOf(repo)}/merges`, { ...bothMerge, from: 'torn' }], conflicts);

      const squashed = { ...bothMerge, into: 'squashed', from: 'clean', strategy: 'squash', message: 'All of it' };
      for (const into of ['squashed', 'next']) {
        const body = { old: null, new: head };
        assertSuccess(await t.rest('PUT', `${pathOf(repo)}/refs/heads/${into}`, { body }), 200, into);
      }
      const one = await ask(t, repo, 'merges', squashed);
      same(one.commit, await merged('squashed', '--squash', 'clean'), 'A squashed branch.');
      for (const from of ['clean', 'heads/clean', 'refs/heads/clean', 'clean~0', 'clean^']) {
        const expected = await merged('next', '--no-ff', from);
        const body = { ...bothMerge, into: 'next', from, strategy: 'merge', expected_head: head };
        if (from === 'clean^') await ask(t, repo, 'merges', body, 200);
        else same((await ask(t, repo, 'merges', body)).commit, expected, `The merge of ${from}.`);
        const back = { new: head, force: true };
        await t.rest('PUT', `${pathOf(repo)}/refs/heads/next`, { body: back });
      }
      const two = await ask(t, repo, 'merges', { ...bothMerge, from: 'clean' });
      assertMembers(two, ['commit', 'tree', 'from', 'ref'], 'a merge');
      same(two.ref, { name: 'refs/heads/main', old: head, new: two.commit }, 'The moved branch.');
      same(two.from, await revision(t, work, 'clean'), 'What was merged.');
      same(two.commit, await merged('main', '--no-ff', 'clean'), 'The merge.');
      same(two.tree, await revision(t, work, 'HEAD^{tree}'), 'Its tree.');
    },
  },
  {
    id: 'rest/merges/picks',
    requirements: ['REPO-278', 'REPO-279', 'REPO-284', 'REPO-285', 'REPO-286'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation: 'Cherry-picks and reverts are the commits that stock git makes.',
    async run(t) {
      const repo = await diverged(t);
      const merge = await ask(t, repo, 'merges', { into: 'clean', from: 'main~1', author }, 200);
      same([merge.commit, merge.ref.old], [null, merge.ref.new], 'What is there already is not merged again.');
      await ask(t, repo, 'merges', { into: 'clean', from: 'main', author, message: 'Both' });
      // A first commit, in another encoding, with blank lines before the subject, and without a line feed at the end.
      const file = change('latin');
      const header = `tree ${file.root.oid}\n`;
      const written = `${header}author J\xf6rg <j@x> 100 +0200\ncommitter J <j@x> 100 +0200\nencoding ISO-8859-1\n\n`;
      const odd = made('commit', Buffer.from(`${written}\n  \ngr\xfcn\nmore`, 'latin1'));
      await accepted(repo, [set('refs/heads/odd', odd)], pack(odd, ...file.all.slice(1)));
      const work = await t.folder();
      await t.git([...repo.auth, 'clone', '--quiet', repo.remote, work]);
      const heads: Record<string, string> = {};
      for (const [kind, commit, mainline] of [
        ['cherry-picks', 'odd', undefined],
        ['cherry-picks', 'clean', 2],
        ['reverts', 'clean', 1],
        ['reverts', 'clean~1', undefined],
      ] as const) {
        const into = kind === 'reverts' ? 'clean' : commit === 'odd' ? 'clean' : 'main';
        const from = heads[into] ?? `origin/${into}`;
        await t.git(['checkout', '--quiet', '--detach', from], { cwd: work });
        const command = kind === 'reverts' ? ['revert', '--no-edit'] : ['cherry-pick'];
        const chosen = mainline === undefined ? [] : ['-m', String(mainline)];
        const hash = await revision(t, work, `origin/${commit}`);
        await t.git([...command, ...chosen, hash], { cwd: work, env: people });
        const body = { into, commit: hash, mainline, committer, ...(kind === 'reverts' && { author }) };
        const made = await ask(t, repo, kind, body);
        const expected = await revision(t, work, 'HEAD');
        same([made.commit, made.from], [expected, hash], `${kind} of ${commit}.`);
        heads[into] = expected;
      }
    },
  },
  {
    id: 'rest/merges/strategies',
    requirements: ['REPO-280', 'REPO-281', 'REPO-284', 'REPO-286'],
    level: 'MUST',
    beyond: true,
    explanation: 'A merge makes a commit or moves the branch, as asked, and only on the heads that it expects.',
    async run(t) {
      const repo = await diverged(t);
      const path = `${pathOf(repo)}/merges`;
      const refuse = (body: Body, expected: Failure, kind: Kind = 'merges'): Promise<unknown> =>
        assertRefused(t, ['POST', `${pathOf(repo)}/${kind}`, body], expected);
      const ahead = await write(t, repo, 'ahead', { b: 'b\n' });
      const head = (await commitOf(t, repo, ahead)).parents[0] as string;
      const forward = { into: 'main', from: 'ahead', strategy: 'ff-only' };
      await refuse({ ...forward, from: 'clean' }, refusedUpdate('non-fast-forward'));
      const moved = await ask(t, repo, 'merges', forward);
      same([moved.commit, moved.from, moved.ref.new], [null, ahead, ahead], 'A branch that moved forward.');
      const idle = await ask(t, repo, 'merges', forward, 200);
      same([idle.commit, idle.tree, idle.ref.old], [null, moved.tree, ahead], 'Nothing to do.');
      await ask(t, repo, 'merges', { ...bothMerge, from: head }, 200);

      const next = await write(t, repo, 'next', { b: 'b2\n' }, 'main');
      await refuse({ ...bothMerge, from: 'next', expected_head: head }, staleRef(ahead, '/expected_head'));
      await refuse({ ...bothMerge, from: 'next', expected_from: head }, staleRef(next, '/expected_from'));
      const exact = { ...bothMerge, from: 'next', expected_head: ahead, expected_from: next };
      const merged = await ask(t, repo, 'merges', { ...exact, message: 'Mine' });
      const commit = await commitOf(t, repo, merged.commit ?? '');
      same([commit.parents, commit.message], [[ahead, next], 'Mine'], 'A commit even where none was needed.');

      await refuse({ ...bothMerge, from: 'none' }, { ...notFound.ref, pointer: '/from' });
      await refuse({ ...bothMerge, into: 'none', from: 'main' }, { ...notFound.ref, pointer: '/into' });
      const pick = { into: 'main', committer, commit: 'main' };
      const noMainline = 'the commit is a merge but no mainline was given';
      await refuse(pick, refusedUpdate(noMainline, '/mainline'), 'cherry-picks');
      const noParent = refusedUpdate('the commit does not have that parent', '/mainline');
      await refuse({ ...pick, mainline: 3 }, noParent, 'cherry-picks');
      await refuse({ ...pick, commit: 'next' }, refusedUpdate('nothing to commit'), 'cherry-picks');
      const renamed = { ...pick, commit: 'next', allow_empty: true, message: 'Again' };
      const stale = { ...renamed, expected_head: head };
      await refuse(stale, staleRef(merged.ref.new, '/expected_head'), 'cherry-picks');
      await refuse({ ...pick, commit: 'none' }, { ...notFound.ref, pointer: '/commit' }, 'cherry-picks');
      const empty = await ask(t, repo, 'cherry-picks', renamed);
      same(empty.tree, merged.tree, 'A commit that changes nothing, where it is allowed.');
      same((await commitOf(t, repo, empty.commit ?? '')).message, 'Again', 'The message that was asked for.');
      const alone = change('alone');
      await accepted(repo, [set('refs/heads/alone', alone)], pack(...alone.all));
      await refuse({ ...bothMerge, from: 'alone' }, refusedUpdate('refusing to merge unrelated histories'));

      const missing = (type: string): string => `Invalid input: expected ${type}, received undefined`;
      await refuse({ into: 'main', from: 'next' }, badField('author', missing('object')));
      await refuse({ ...bothMerge, from: 'next', strategy: 'squash' }, badField('message', missing('string')));
      await refuse({ ...bothMerge, from: {} }, badField('from/repo', missing('string')));
      await refuse(
        { ...bothMerge, into: 'a..b', from: 'x' },
        badField('into', 'Invalid branch name: expected a name that Git allows, without refs/heads/'),
      );
      await refuse({ into: 'main', commit: 'next' }, badField('committer', missing('object')), 'cherry-picks');
      await refuse(
        { ...bothMerge, commit: 'next', mainline: 0 },
        badField('mainline', 'Too small: expected number to be >=1'),
        'reverts',
      );
      const closed = await t.createRepo({ body: { read_only: true } });
      await assertRefused(t, ['POST', `${pathOf(closed)}/merges`, forward], failures.readOnly);
      const none = `/namespaces/${t.namespace}/repos/none/merges`;
      await assertRefused(t, ['POST', none, forward], failures.noRepo);
      same((await t.rest('PUT', path, { body: {} })).status, 405, 'Another method.');
    },
  },
  {
    id: 'rest/merges/forks',
    requirements: ['REPO-283', 'REPO-284'],
    level: 'MUST',
    beyond: true,
    explanation: 'A fork is merged back with what the merge needs of it, and nothing else of it shows.',
    async run(t) {
      const parent = await diverged(t);
      const fork = await forkOf(t, parent);
      const first = await write(t, fork, 'main', { 'docs/plan': 'plan\n' });
      const tip = await write(t, fork, 'main', { 'docs/plan': 'plan 2\n', copy: lines() });
      const secret = await write(t, fork, 'secret', { secret: 'secret\n' });
      const readable = async (hash: string): Promise<boolean> =>
        (await t.rest('GET', `${pathOf(parent)}/commit/${hash}`)).status === 200;

      const squash = { ...bothMerge, into: 'clean', strategy: 'squash', message: 'Fork' };
      await ask(t, parent, 'merges', { ...squash, from: { repo: fork.name, ref: 'main' } });
      const picked = { into: 'torn', commit: { repo: fork.name, ref: secret }, committer };
      const pick = await ask(t, parent, 'cherry-picks', picked);
      same(
        (await commitOf(t, parent, pick.commit ?? '')).message,
        'Change secret\n\nBody.',
        'The message of the fork.',
      );
      await expectIntact(parent);
      for (const hash of [first, tip, secret]) same(await readable(hash), false, `${hash} stays in the fork.`);

      await write(t, parent, 'main', { other: 'other\n' });
      const from = { namespace: parent.namespace.toUpperCase(), repo: fork.name };
      const merged = await ask(t, parent, 'merges', { ...bothMerge, from, expected_from: tip });
      const title = `Merge ${fork.remote.replace(/\.git$/, '')}`;
      same((await commitOf(t, parent, merged.commit ?? '')).message, title, 'The default message.');
      same(
        [await readable(first), await readable(secret)],
        [true, false],
        'The history of what was merged came along.',
      );
      await expectIntact(parent);
      await ask(t, parent, 'merges', { ...bothMerge, from: `${fork.name}:main` }, 200);

      const back = { into: 'main', from: { repo: parent.name, ref: 'main' }, strategy: 'ff-only' };
      same((await ask(t, fork, 'merges', back)).ref.new, merged.commit, 'The fork follows its parent.');
      // This fork gets the whole pack of its parent, but only the objects of `main` in it are its own.
      const [own, hidden] = [change('own'), change('hidden')];
      const later = change('later', own, hidden);
      const refs = { 'refs/heads/main': own, 'refs/heads/hidden': later };
      const origin = await repoWith(t, refs, [...own.all, ...hidden.all, ...later.all]);
      const part = await forkOf(t, origin);
      await write(t, part, 'squashed', { side: 'side\n' });
      const all = { ...bothMerge, from: { repo: origin.name, ref: 'hidden' } };
      await ask(t, part, 'merges', { ...all, into: 'squashed', strategy: 'squash', message: 'Hidden' });
      await expectIntact(part);
      await ask(t, part, 'merges', { ...all, strategy: 'ff-only' });
      await expectIntact(part);

      const stranger = await diverged(t);
      for (const repo of [stranger.name, 'none']) {
        const body = { ...bothMerge, from: { repo } };
        await assertRefused(t, ['POST', `${pathOf(parent)}/merges`, body], {
          ...failures.noRepo,
          pointer: '/from/repo',
        });
        const pickOther = { into: 'main', commit: { repo }, committer };
        await assertRefused(t, ['POST', `${pathOf(parent)}/cherry-picks`, pickOther], {
          ...failures.noRepo,
          pointer: '/commit/repo',
        });
      }
      await assertRefused(
        t,
        ['POST', `${pathOf(parent)}/merges`, { ...bothMerge, from: { repo: fork.name, ref: 'none' } }],
        { ...notFound.ref, pointer: '/from' },
      );
    },
  },
  {
    id: 'rest/merges/many-conflicts',
    requirements: ['LIM-033', 'REPO-249', 'REPO-282'],
    level: 'MUST',
    beyond: true,
    explanation: 'A merge with very many conflicts lists the first ones by path.',
    async run(t) {
      const repo = await t.createRepo();
      await write(t, repo, 'main', { a: 'a\n' });
      const names = Array.from({ length: 1001 }, (_, i) => `file-${String(i).padStart(4, '0')}`);
      const filled = (content: string): Changes => Object.fromEntries(names.map((name) => [name, content]));
      await write(t, repo, 'next', filled('theirs\n'));
      await write(t, repo, 'main', filled('ours\n'));
      const stage = (content: string): object => ({ mode: '100644', hash: blob(content).oid });
      const both = { base: null, ours: stage('ours\n'), theirs: stage('theirs\n') };
      const conflicts = names.slice(0, 1000).map((path) => ({ path, ...both }));
      await assertRefused(t, ['POST', `${pathOf(repo)}/merges`, { ...bothMerge, from: 'next' }], {
        status: 409,
        code: 10206,
        message: 'The merge has conflicts',
        details: { conflicts, truncated: true },
      });
    },
  },
  {
    id: 'rest/merges/at-once',
    requirements: ['REPO-286'],
    level: 'MUST',
    beyond: true,
    explanation: 'Merges that arrive together are all in the branch.',
    async run(t) {
      const repo = await t.createRepo();
      await write(t, repo, 'main', { a: lines() });
      const branches = Array.from({ length: 6 }, (_, i) => `topic-${i}`);
      for (const branch of branches) await write(t, repo, branch, { [branch]: branch });
      const made = await Promise.all(branches.map((from) => ask(t, repo, 'merges', { into: 'main', from, author })));
      const log: readonly { readonly hash: string }[] = assertSuccess(
        await t.rest('GET', `${pathOf(repo)}/log?limit=50`),
        200,
        'the log',
      );
      const hashes = log.slice(0, -1).map(({ hash }) => hash);
      same(hashes.toSorted(), made.map(({ commit }) => commit).toSorted(), 'All merges.');
    },
  },
);
