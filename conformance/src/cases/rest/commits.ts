/** REPO-250 to REPO-255 of docs/specification/repositories.md: commits without Git. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context, RestReply, TestRepo } from '../../core/context.ts';
import type { ShownCommit, ShownNewCommit } from '../../core/shown-content.ts';
import { commitOf, pathOf } from '../../steps/content.ts';
import { mirrored } from '../../steps/imports.ts';
import { repoWith } from '../../steps/repo-with.ts';
import {
  assertFailure,
  assertRefused,
  assertSuccess,
  badField,
  bodyTooLarge,
  failures,
  refusedUpdate,
  staleRef,
  type Failure,
} from '../../steps/replies.ts';
import { assertMembers } from '../../steps/values.ts';
import { change } from '../../tools/made-objects.ts';
import { same } from '../../tools/same.ts';
import { notFound } from './content/failures.ts';

const author = { name: 'Ada Ünal', email: 'ada@example.com', time: 1_795_165_100, timezone: '+0200' };
const wrongBranch = 'Invalid branch name: expected a name that Git allows, without refs/heads/';
const wrongSignature = 'Invalid text: expected Unicode without <, >, NUL, line ends and outer white space';
const wrongPath = 'Invalid path: expected names between single slashes, none of them ".", ".." or ".git"';
const base = change('base');
const other = change('other');

/** Returns the body of a commit to `main`, with some members replaced. */
const bodyOf = (changes: readonly unknown[], more: Readonly<Record<string, unknown>> = {}): object => ({
  branch: 'main',
  message: 'A change',
  author,
  changes,
  ...more,
});

const put = (path: string, content = path): object => ({ op: 'put', path, content });

async function commit(t: Context, repo: TestRepo, body: object): Promise<ShownNewCommit> {
  return assertSuccess(await t.rest('POST', `${pathOf(repo)}/commits`, { body }), 201, JSON.stringify(body));
}

export const commits: Suite = suite(
  {
    id: 'rest/commits/as-git-writes-them',
    requirements: ['REPO-250', 'REPO-251', 'REPO-252', 'REPO-253', 'REPO-254'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation: 'Commits have the trees and bodies that stock git writes for the same files.',
    async run(t) {
      const repo = await t.createRepo();
      const files = ['folder/b.txt', 'folder/deep/c', 'folder.x', 'left/by/all', 'zé'];
      const first = [put('a.txt', 'one\n'), ...files.map((path) => put(path))];
      const root = await commit(t, repo, bodyOf(first, { message: 'First\n\nWith a text\n' }));
      assertMembers(root, ['commit', 'tree', 'ref', 'paths', 'truncated'], 'a commit');
      same(root.ref, { name: 'refs/heads/main', old: null, new: root.commit }, 'The new branch.');
      const all = ['a.txt', 'folder.x', 'folder/b.txt', 'folder/deep/c', 'left/by/all', 'zé'];
      same(root.paths, all, 'The paths.');
      const second = await commit(
        t,
        repo,
        bodyOf(
          [
            { op: 'put', path: 'run.sh', content: 'IyEvYmluL3NoCg==', encoding: 'base64', mode: '100755' },
            { op: 'put', path: 'link', content: 'a.txt', mode: '120000' },
            { op: 'put', path: 'run.sh', content: '#!/bin/sh\nexit\n' },
            { op: 'move', from: 'folder/deep', path: 'moved' },
            { op: 'delete', path: 'folder' },
            { op: 'delete', path: 'left/by/all' },
            { op: 'move', from: 'a.txt', path: 'folder/a' },
          ],
          {
            expected_head: root.commit,
            author: { name: author.name, email: author.email, time: author.time },
            committer: { name: 'C', email: 'c@example.com', time: 1, timezone: '-0330' },
          },
        ),
      );
      same(second.ref.old, root.commit, 'The parent.');
      const changed = [
        'a.txt',
        'folder/a',
        'folder/b.txt',
        'folder/deep/c',
        'left/by/all',
        'link',
        'moved/c',
        'run.sh',
      ];
      same(second.paths, changed, 'The paths of a folder are those of its files.');
      const cwd = await mirrored(t, repo);
      await t.git(['fsck', '--strict'], { cwd });
      const entries = async (revision: string): Promise<readonly string[]> =>
        (
          await t.git(
            ['-c', 'core.quotePath=false', 'ls-tree', '-r', '-t', '-z', '--format=%(objectmode) %(path)', revision],
            { cwd },
          )
        )
          .split('\0')
          .filter(Boolean);
      const names = [
        '100644 a.txt',
        '100644 folder.x',
        '040000 folder',
        '100644 folder/b.txt',
        '040000 folder/deep',
        '100644 folder/deep/c',
        '040000 left',
        '040000 left/by',
        '100644 left/by/all',
        '100644 zé',
      ];
      same(await entries('main~1'), names, 'The files of the first commit.');
      const after = [
        '100644 folder.x',
        '040000 folder',
        '100644 folder/a',
        '120000 link',
        '040000 moved',
        '100644 moved/c',
        '100755 run.sh',
        '100644 zé',
      ];
      same(await entries('main'), after, 'The files of the second commit.');
      same(await t.git(['cat-file', 'blob', 'main:run.sh'], { cwd }), '#!/bin/sh\nexit\n', 'The last content.');
      const shown = await t.git(['log', '--format=%H %T %an <%ae> %ad, %cn %cd%n%B', '--date=raw'], { cwd });
      const expected = [
        `${second.commit} ${second.tree} Ada Ünal <ada@example.com> 1795165100 +0000, C 1 -0330`,
        'A change\n\n',
        `${root.commit} ${root.tree} Ada Ünal <ada@example.com> 1795165100 +0200, Ada Ünal 1795165100 +0200`,
        'First\n\nWith a text\n\n',
      ];
      same(shown, expected.join('\n').replaceAll('\n\n\n', '\n\n'), 'The log.');
    },
  },
  {
    id: 'rest/commits/branches',
    requirements: ['REPO-252', 'REPO-253', 'REPO-255', 'REPO-312'],
    level: 'MUST',
    beyond: true,
    explanation: 'A commit goes on the head that it expects, and a new branch begins at a revision or at HEAD.',
    async run(t) {
      const refs = { 'refs/heads/main': base, 'refs/tags/v1': other };
      const repo = await repoWith(t, refs, [...base.all, ...other.all]);
      const path = `${pathOf(repo)}/commits`;
      const parentsOf = async (hash: string): Promise<readonly string[]> =>
        (assertSuccess(await t.rest('GET', `${pathOf(repo)}/commit/${hash}`), 200, hash) as ShownCommit).parents;
      const blob = { op: 'put', path: 'copy', hash: base.file.oid };
      const topic = await commit(t, repo, bodyOf([blob], { branch: 'topic/x', expected_head: null }));
      same(await parentsOf(topic.commit), [base.oid], 'A new branch begins at HEAD.');
      const tagged = await commit(t, repo, bodyOf([put('x')], { branch: 'tagged', from: 'v1' }));
      same(await parentsOf(tagged.commit), [other.oid], 'A new branch begins at the revision.');
      await commit(t, repo, bodyOf([put('d/e/x')], { branch: 'emptied', from: base.oid }));
      const emptied = await commit(t, repo, bodyOf([{ op: 'delete', path: 'd/e/x' }], { branch: 'emptied' }));
      same(emptied.tree, base.root.oid, 'A folder goes with its last file.');
      const head = (await commit(t, repo, bodyOf([put('x')]))).commit;
      same(await parentsOf(head), [base.oid], 'The commit is on the head of its branch.');
      await assertRefused(t, ['POST', path, bodyOf([put('y')], { expected_head: base.oid })], staleRef(head));
      await assertRefused(t, ['POST', path, bodyOf([put('y')], { expected_head: null })], staleRef(head));
      const absent = bodyOf([put('y')], { branch: 'none', expected_head: head });
      await assertRefused(t, ['POST', path, absent], staleRef(null));
      await assertRefused(t, ['POST', path, bodyOf([put('y')], { branch: 'none', from: 'nowhere' })], {
        ...notFound.ref,
        pointer: '/from',
      });
      await assertRefused(t, ['POST', path, bodyOf([put('x')])], refusedUpdate('nothing to commit'));
      const { name, email } = author;
      const untimed = { changes: undefined, allow_empty: true, author: { name, email } };
      const empty = await commit(t, repo, bodyOf([], untimed));
      const shown = await commitOf(t, repo, empty.commit);
      same(shown.parents, [head], 'An empty commit, where it is allowed.');
      assert.ok(Math.abs(shown.authoredAt - Date.now() / 1000) < 300, 'expected the time of now by default');
      const unborn = await repoWith(t, { 'refs/heads/dev': base, 'refs/heads/next': base }, base.all);
      const root = await commit(t, unborn, bodyOf([put('x')], { branch: 'topic' }));
      const { parents } = assertSuccess(await t.rest('GET', `${pathOf(unborn)}/commit/${root.commit}`), 200, 'root');
      same(parents, [], 'A new branch begins with a root where HEAD has no commit.');
      const conflict = refusedUpdate('conflicts with refs/heads/topic/x');
      await assertRefused(t, ['POST', path, bodyOf([put('y')], { branch: 'topic' })], conflict);
    },
  },
  {
    id: 'rest/commits/keys',
    requirements: ['REPO-259', 'REPO-313'],
    level: 'MUST',
    beyond: true,
    explanation: 'A retry with the same key and body returns the first result and commits nothing.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': base }, base.all);
      const path = `${pathOf(repo)}/commits`;
      const send = (key: string, body: object): Promise<RestReply> =>
        t.rest('POST', path, { body, headers: { 'idempotency-key': key } });
      const body = bodyOf([put('a/x'), { op: 'delete', path: 'file' }], { expected_head: base.oid });
      const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => send('"one-key"', body)));
      const made: ShownNewCommit = assertSuccess(first as RestReply, 201, 'the first');
      for (const other of others) same(assertSuccess(other, 201, 'a retry'), made, 'All at once have one result.');
      const reordered = Object.fromEntries(Object.entries(body).toReversed());
      const later = await commit(t, repo, bodyOf([put('later')]));
      same(assertSuccess(await send('"one-key"', reordered), 201, 'a retry'), made, 'A retry has the first result.');
      const other = await send('"one-key"', { ...body, message: 'Another' });
      assertFailure(t, other, refusedUpdate('the idempotency key was used for another commit'), 'another body');
      assertFailure(t, await send('bare', body), staleRef(later.commit), 'a new key');
      assertSuccess(await send('bare', { ...body, expected_head: undefined, changes: [put('y')] }), 201, 'unused key');
      const setReadOnly = { body: { read_only: true } };
      assertSuccess(await t.rest('PATCH', pathOf(repo), setReadOnly), 200, 'read-only');
      same(assertSuccess(await send('"one-key"', body), 201, 'a retry'), made, 'A retry in a repo that is read-only.');
      assertFailure(t, await send('"new-key"', body), failures.readOnly, 'a new key');
      for (const wrong of ['x'.repeat(256), '"a b"']) {
        const text = 'Invalid idempotency key: expected 1 to 255 visible ASCII characters';
        assertFailure(t, await send(wrong, body), badField('idempotency_key', text), wrong);
      }
      const log: readonly ShownCommit[] = assertSuccess(await t.rest('GET', `${pathOf(repo)}/log`), 200, 'log');
      same(log.length, 4, 'Each commit once.');
      assertSuccess(await t.rest('PATCH', pathOf(repo), { body: { read_only: false } }), 200, 'not read-only');
      // On any head, each of them could be made.
      for (const key of ['key-1', 'key-2', 'key-3']) {
        const onAnyHead = bodyOf([put(key)], { allow_empty: true });
        const together = await Promise.all(Array.from({ length: 8 }, () => send(key, onAnyHead)));
        const hashes = together.map((reply) => (assertSuccess(reply, 201, key) as ShownNewCommit).commit);
        same(new Set(hashes).size, 1, 'All at once make one commit.');
      }
    },
  },
  {
    id: 'rest/commits/in-parts',
    requirements: ['LIM-026', 'LIM-041', 'REPO-041', 'REPO-308', 'REPO-309'],
    level: 'MUST',
    beyond: true,
    explanation:
      'A commit above the limit of other bodies has its members in any order, and is made or leaves nothing.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': base }, base.all);
      const path = `${pathOf(repo)}/commits`;
      const large = Array.from({ length: 3 }, (_, i) => {
        const words = Array.from({ length: 30_000 }, (__, word) => `${i} ${Math.imul(word + i, 2_654_435_761)} é\n`);
        return put(`large-${i}`, words.join(''));
      });
      const { branch: _, ...others } = bodyOf(large) as Readonly<Record<string, unknown>>;
      const late = { ...others, branch: 'main' };
      const wrong = [
        [JSON.stringify(late).replace(/}$/, ',"branch":"x"}'), 'branch'],
        [JSON.stringify(bodyOf([{ ...put('x'), mode: null }])).replace('"mode":null', '"path":"y"'), 'changes/0/path'],
      ] as const;
      const headers = { 'content-type': 'application/json' };
      for (const [body, member] of wrong) {
        const failure = badField(member, 'Invalid input: the member is there twice');
        assertFailure(t, await t.rest('POST', path, { body, headers }), failure, member);
      }
      const bad = bodyOf([...large, put('.git')]);
      await assertRefused(t, ['POST', path, bad], badField('changes/3/path', wrongPath));
      const cut = await t.rest('POST', path, { body: JSON.stringify(bodyOf(large)).slice(0, -1), headers });
      assertFailure(t, cut, failures.malformed, 'a body that ends too early');
      const wordy = bodyOf([put('x')], { message: 'x'.repeat(1_048_577) });
      await assertRefused(t, ['POST', path, wordy], bodyTooLarge(1_048_576));
      const { object_count: count } = assertSuccess(await t.rest('GET', pathOf(repo)), 200, 'repo');
      same(count, base.all.length, 'What is refused leaves no objects.');
      const many = await commit(t, repo, late);
      same(many.paths.length, 3, 'A body above the limit of other requests, with the changes before the branch.');
    },
  },
  {
    id: 'rest/commits/at-once',
    requirements: ['REPO-253', 'REPO-255'],
    level: 'MUST',
    beyond: true,
    explanation: 'Commits that arrive together are all in the history, each once.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': base }, base.all);
      const made = await Promise.all(Array.from({ length: 12 }, (_, i) => commit(t, repo, bodyOf([put(`file-${i}`)]))));
      const log: readonly ShownCommit[] = assertSuccess(
        await t.rest('GET', `${pathOf(repo)}/log?limit=50`),
        200,
        'log',
      );
      const hashes = log.map(({ hash }) => hash).toSorted();
      same(hashes, [base.oid, ...made.map((one) => one.commit)].toSorted(), 'All commits.');
      const path = `${pathOf(repo)}/commits`;
      let head = log[0]?.hash;
      for (const round of [1, 2, 3]) {
        const bodies = [1, 2, 3, 4, 5, 6].map((i) => bodyOf([put(`round-${round}-${i}`)], { expected_head: head }));
        const replies = await Promise.all(bodies.map((body) => t.rest('POST', path, { body })));
        const won = replies.filter(({ status }) => status === 201);
        const stale = replies.filter(({ status }) => status === 409);
        same([won.length, stale.length], [1, 5], 'Of those that expect one head, one is made.');
        head = won[0]?.json.result.commit;
      }
    },
  },
  {
    id: 'rest/commits/refused',
    requirements: ['LIM-026', 'LIM-027', 'REPO-036', 'REPO-248', 'REPO-251', 'REPO-252', 'REPO-255', 'REPO-310'],
    level: 'MUST',
    beyond: true,
    needs: ['read token'],
    explanation: 'Wrong members, changes that cannot be made, and missing permission are refused.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': base }, base.all);
      const path = `${pathOf(repo)}/commits`;
      const refuse = (body: object, expected: Failure): Promise<unknown> =>
        assertRefused(t, ['POST', path, body], expected);
      for (const branch of ['a..b', 'refs/heads/main']) {
        await refuse(bodyOf([put('x')], { branch }), badField('branch', wrongBranch));
      }
      await refuse(
        bodyOf([put('x')], { message: '' }),
        badField('message', 'Too small: expected string to have >=1 characters'),
      );
      const wrongMessage = badField('message', 'Invalid text: expected Unicode without NUL');
      for (const message of ['a\0b', '\ud800']) await refuse(bodyOf([put('x')], { message }), wrongMessage);
      const wrongContent = badField('changes/0/content', 'Invalid text: expected Unicode, or "encoding" "base64"');
      await refuse(bodyOf([put('x', '\ud800')]), wrongContent);
      await refuse(bodyOf([put('x')], { expected_head: 'x' }), badField('expected_head', 'Invalid SHA-1 hash'));
      await refuse(
        bodyOf([put('x')], { author: 'me' }),
        badField('author', 'Invalid input: expected object, received string'),
      );
      const angle = { ...author, name: 'a<b' };
      await refuse(bodyOf([put('x')], { author: angle }), badField('author/name', wrongSignature));
      await refuse(
        bodyOf([put('x')], { committer: { ...author, timezone: '2' } }),
        badField('committer/timezone', 'Invalid timezone'),
      );
      const ops = 'Invalid option: expected one of "put"|"delete"|"move"';
      const chmod = bodyOf([{ op: 'chmod', path: 'x' }]);
      const { json } = await assertRefused(t, ['POST', path, chmod], badField('changes/0/op', ops));
      same(json?.errors.length, 1, 'The members of an unknown op are not at fault.');
      const both = { ...put('x'), hash: base.file.oid };
      await refuse(bodyOf([both]), badField('changes/0/hash', 'Invalid input: expected one of "content"|"hash"'));
      for (const odd of ['', '/x', 'x/', 'a//b', '.', 'a/../b', '.git/config', 'a/.GIT', 'a\0b']) {
        await refuse(bodyOf([put('fine'), put(odd, '')]), badField('changes/1/path', wrongPath));
      }
      const wrong64 = { op: 'put', path: 'x', content: '?', encoding: 'base64' };
      await refuse(bodyOf([wrong64]), badField('changes/0/content', 'Invalid base64'));
      const missing = 'there is no such file or folder';
      await refuse(bodyOf([{ op: 'delete', path: 'none' }]), refusedUpdate(missing, '/changes/0/path'));
      await refuse(bodyOf([{ op: 'move', from: 'none', path: 'x' }]), refusedUpdate(missing, '/changes/0/from'));
      await refuse(bodyOf([put('d/x'), put('d')]), refusedUpdate('a folder is there', '/changes/1/path'));
      await refuse(bodyOf([put('file/x')]), refusedUpdate('a file is above it', '/changes/0/path'));
      const onto = [put('x'), { op: 'move', from: 'x', path: 'file' }];
      await refuse(bodyOf(onto), refusedUpdate('something is there already', '/changes/1/path'));
      const ontoFolder = [put('d/x'), { op: 'move', from: 'file', path: 'd' }];
      await refuse(bodyOf(ontoFolder), refusedUpdate('something is there already', '/changes/1/path'));
      const unknown = { op: 'put', path: 'x', hash: 'ab'.repeat(20) };
      await refuse(bodyOf([unknown]), { ...notFound.blob, pointer: '/changes/0/hash' });
      const tooMany = badField('changes', 'Too big: expected array to have <=10000 items');
      await refuse(bodyOf(Array.from({ length: 10_001 }, () => put('x'))), tooMany);
      const none = `/namespaces/${t.namespace}/repos/none/commits`;
      await assertRefused(t, ['POST', none, bodyOf([put('x')])], failures.noRepo);
      const closed = await t.createRepo({ body: { read_only: true } });
      await assertRefused(t, ['POST', `${pathOf(closed)}/commits`, bodyOf([put('x')])], failures.readOnly);
      same(
        (await t.rest('POST', path, { token: t.readToken, body: bodyOf([put('x')]) })).status,
        403,
        'No permission.',
      );
    },
  },
);
