/** REPO-120, REPO-132 and REPO-133 of docs/specification/repositories.md: requests for forks, and their replies. */

import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { suite, type Suite } from '../../../core/case.ts';
import type { RestReply } from '../../../core/context.ts';
import { pathOf } from '../../../steps/content.ts';
import { askForFork, forkOf, forkOfAll } from '../../../steps/forked.ts';
import { expectIntact } from '../../../tools/hosted-objects.ts';
import { blob, change, commit, tree } from '../../../tools/made-objects.ts';
import { noise } from '../../../tools/noise.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { discover } from '../../../tools/wire-client.ts';
import {
  assertFailure,
  assertRefused,
  assertSuccess,
  badField,
  failures,
  repoExists,
  shown,
} from '../../../steps/replies.ts';
import { meagreSettings, only, tightSettings } from '../../../steps/settings.ts';

const forking = { status: 409, code: 10303, message: 'Repository fork in progress' };
const tooLarge = { status: 413, code: 10402, message: 'The repository exceeds the import limits' };

export const forkRequests: Suite = suite(
  {
    id: 'rest/fork/result',
    requirements: ['REPO-017', 'REPO-045', 'REPO-053', 'REPO-058', 'REPO-078', 'REPO-113', 'REPO-120', 'REPO-122'],
    level: 'MUST',
    explanation:
      'A fork answers all members of ForkRepoResult in their order, lands beside its parent, names it as source with its stored spelling, and has one write token.',
    async run(t) {
      const [first, parentName] = [change('first'), t.name('Parent')];
      const parent = await repoWith(t, { 'refs/heads/trunk': first }, first.all, {
        name: parentName,
        body: { default_branch: 'trunk', description: 'of the parent', read_only: false },
      });
      const asked = { namespace: parent.namespace.toUpperCase(), name: parentName.toUpperCase() };
      const reply = await askForFork(t, asked, { name: 'Notes-Try' });
      const result = assertSuccess(reply, 201, 'POST of a fork');
      same(reply.headers.get('cache-control'), 'no-store', 'A reply with a token is not stored.');
      same(
        Object.keys(result),
        ['id', 'name', 'description', 'default_branch', 'remote', 'token', 'objects'],
        'The members of ForkRepoResult, in their order.',
      );
      const { id, name, description, default_branch: branch, objects, token, remote } = result;
      same([name, description, branch, objects], ['Notes-Try', null, 'trunk', 3], 'The values of a fork.');
      assert.ok(id !== parent.id && /^[0-9a-z]{16}$/.test(id), 'expected an id of its own');
      assert.ok(
        remote.endsWith(`/${parent.namespace}/Notes-Try.git`),
        `expected a remote beside the parent: ${remote}`,
      );
      const path = `/namespaces/${parent.namespace}/repos/notes-try`;
      const info = assertSuccess(await t.rest('GET', path), 200, 'GET of the fork');
      same(
        [info.id, info.source, info.description, info.read_only, info.last_push_at],
        [id, `${t.dialect.forkPrefix}${parent.namespace}/${parentName}`, null, false, null],
        'What the record of a fork says.',
      );
      const tokens = assertSuccess(await t.rest('GET', `${path}/tokens`), 200, 'its tokens');
      same(
        tokens.map(({ scope, state }: { scope: string; state: string }) => [scope, state]),
        [['write', 'active']],
        'One token of scope write.',
      );
      const lifetime = Date.parse(tokens[0].expires_at) - Date.parse(tokens[0].created_at);
      same(lifetime, 86_400_000, 'The default lifetime.');
      for (const [other, other_token] of [
        [{ ...parent, token }, 'the token of the fork'],
        [{ remote, token: parent.token, fetch: t.fetch }, 'the token of the parent'],
      ] as const) {
        const { status } = await discover(other);
        assert.equal(status, 403, `expected ${other_token} to be of no use for the other (TOKEN-005)`);
      }
      same((await discover({ remote, token, fetch: t.fetch })).status, 200, 'The token opens the fork.');
    },
  },
  {
    id: 'rest/fork/source-outlives-parent',
    requirements: ['REPO-058', 'REPO-118', 'REPO-123'],
    level: 'MUST',
    beyond: true,
    explanation: 'A fork keeps its source and its content when the parent is deleted and its name is given to another.',
    async run(t) {
      const first = change('first');
      const parent = await repoWith(t, { 'refs/heads/main': first }, first.all, { name: t.name('parent') });
      const fork = await forkOf(t, parent, { description: 'kept', read_only: true });
      const before = assertSuccess(await t.rest('GET', pathOf(fork)), 200, 'GET of the fork');
      same([before.description, before.read_only], ['kept', true], 'What was asked for.');
      assertSuccess(await t.rest('DELETE', pathOf(parent)), 202, 'DELETE of the parent');
      await t.createRepo({ name: parent.name });
      same(assertSuccess(await t.rest('GET', pathOf(fork)), 200, 'GET of the fork'), before, 'Nothing has changed.');
      await expectIntact(fork);
      const pushing = await discover(fork, { service: 'git-receive-pack' });
      same([pushing.status, pushing.lines], [403, ['Repository is read-only']], 'It is read-only from the start.');
    },
  },
  {
    id: 'rest/fork/fields',
    requirements: ['LIM-007', 'REPO-036', 'REPO-037', 'REPO-042', 'REPO-048', 'REPO-061', 'REPO-120'],
    level: 'MUST',
    explanation:
      'Bad members are told in their order with their texts, before it is asked whether there is a parent; null counts as absent.',
    async run(t) {
      const parent = await t.createRepo();
      const at = (repo: string): string => `/namespaces/${parent.namespace}/repos/${repo}/fork`;
      const wrong = (field: string, expected: string, received: string) =>
        badField(field, `Invalid input: expected ${expected}, received ${received}`);
      const bad: readonly (readonly [body: Readonly<Record<string, unknown>>, failure: typeof failures.repoName])[] = [
        [{}, failures.repoName],
        ...[null, 5, '', '-x', 'a b', '.git', 'é'].map((name) => [{ name }, failures.repoName] as const),
        [
          { name: 'x'.repeat(513) },
          { ...failures.repoName, message: 'Invalid repo name: must be at most 512 characters' },
        ],
        [{ name: 'f', description: 5 }, wrong('description', 'string', 'number')],
        [
          { name: 'f', description: 'x'.repeat(1025) },
          badField('description', 'Too big: expected string to have <=1024 characters'),
        ],
        [{ name: 'f', read_only: 'yes' }, wrong('read_only', 'boolean', 'string')],
        [{ name: 'f', default_branch_only: 0 }, wrong('default_branch_only', 'boolean', 'number')],
        [{ name: 'f', default_branch_only: [] }, wrong('default_branch_only', 'boolean', 'array')],
        [{ default_branch_only: 1, read_only: 1, description: 1, name: 1 }, failures.repoName],
        [{ default_branch_only: 1, read_only: 1, description: 1, name: 'f' }, wrong('description', 'string', 'number')],
        [{ default_branch_only: 1, read_only: 1, name: 'f' }, wrong('read_only', 'boolean', 'number')],
      ];
      for (const [body, failure] of bad) {
        for (const repo of [parent.name, 'none']) await assertRefused(t, ['POST', at(repo), body], failure);
      }
      await assertRefused(t, ['POST', at('none'), { name: 'f' }], failures.noRepo);
      await assertRefused(t, ['POST', at('%20'), { name: 'f' }], failures.noRepo);
      await assertRefused(t, ['POST', '/namespaces/none-such/repos/none/fork', { name: 'f' }], failures.noRepo);
      await assertRefused(t, ['GET', '/namespaces/none-such'], failures.noNamespace);
      const nulls = { name: 'f', description: null, read_only: null, default_branch_only: null, other: 1 };
      const made = assertSuccess(await askForFork(t, parent, nulls), 201, 'POST with null for all that is optional');
      same([made.description, made.objects], [null, 0], 'null counts as absent.');
      same((await t.rest('GET', `/namespaces/${parent.namespace}/repos`)).json.result.length, 2, 'No other was made.');
    },
  },
  {
    id: 'rest/fork/names',
    requirements: ['REPO-006', 'REPO-062', 'REPO-112', 'REPO-120', 'REPO-168'],
    level: 'MUST',
    explanation:
      'A name that is taken, in any case of its letters and also by the parent, is refused; of forks to one name at once exactly one gets 201.',
    async run(t) {
      const first = change('first');
      const parent = await repoWith(t, { 'refs/heads/main': first }, first.all, { name: 'Parent' });
      await t.createRepo({ name: 'Other' });
      for (const name of ['Parent', 'parent', 'OTHER']) {
        await assertRefused(t, ['POST', `${pathOf(parent)}/fork`, { name }], repoExists(name));
      }
      const names = ['Try', 'try', 'TRY', 'tRy', 'Try', 'try'];
      const replies = await Promise.all(names.map(async (name) => askForFork(t, parent, { name })));
      same(replies.filter(({ status }) => status === 201).length, 1, 'Exactly one fork was made.');
      for (const [i, reply] of replies.entries()) {
        if (reply.status !== 201) assertFailure(t, reply, repoExists(names[i] as string), 'a fork at once with others');
      }
      const [{ id, remote, token }] = replies.flatMap(({ status, json }) => (status === 201 ? [json.result] : []));
      await expectIntact({ remote, token, fetch: t.fetch });
      const rows = assertSuccess(await t.rest('GET', `/namespaces/${parent.namespace}/repos`), 200, 'the list');
      same(rows.length, 3, 'Nothing else is listed.');
      assertSuccess(await t.rest('DELETE', `/namespaces/${parent.namespace}/repos/try`), 202, 'DELETE of the fork');
      const again = await forkOf(t, parent, { name: 'TRY' });
      assert.notEqual(again.id, id, 'expected a new id');
      same((await discover({ ...again, token })).status, 403, 'The token of the deleted fork does not open it.');
    },
  },
  {
    id: 'rest/fork/permissions',
    requirements: ['REPO-031', 'REPO-032', 'REPO-036', 'REPO-041', 'REPO-042', 'REPO-078'],
    level: 'MUST',
    needs: ['read token'],
    explanation: 'A fork needs the permission to edit; a repo token is no credential for it.',
    async run(t) {
      const parent = await t.createRepo();
      const path = `${pathOf(parent)}/fork`;
      const body = { name: 'f' };
      assertFailure(t, await t.rest('POST', path, { token: t.readToken, body }), failures.permission, 'a read token');
      for (const token of [null, parent.token, 'nobody']) {
        assertFailure(t, await t.rest('POST', path, { token, body }), failures.authentication, 'no such token');
      }
      assertFailure(t, await t.rest('POST', path, { body: '{' }), failures.malformed, 'no JSON');
      assertFailure(t, await t.rest('POST', path, { body: '[]' }), failures.malformed, 'no object');
    },
  },
  {
    id: 'rest/fork/before-it-is-done',
    requirements: ['LIM-014', 'REPO-089', 'REPO-119', 'REPO-132', 'REPO-133', 'REPO-170', 'REPO-180'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(tightSettings, 'sync_wait'),
    explanation:
      'A fork whose reply does not wait is forking until it is ready: its name is taken, its token exists, DELETE cancels it.',
    async run(t) {
      const first = change('first');
      const parent = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const list = `/namespaces/${parent.namespace}/repos`;
      const statusOf = async (name: string): Promise<string | undefined> =>
        assertSuccess(await t.rest('GET', list), 200, 'the list').find((row: { name: string }) => row.name === name)
          ?.status;
      for (let round = 0; round < 4; round++) {
        const fork = await forkOf(t, parent, { name: `f${round}` });
        assert.ok([0, 3].includes(fork.objects), `expected the count so far, not ${fork.objects}`);
        const [next, taken, git] = await Promise.all([
          askForFork(t, fork, { name: `g${round}` }),
          askForFork(t, parent, { name: `F${round}` }),
          discover(fork),
        ]);
        assertFailure(t, taken, repoExists(`F${round}`), 'a fork to a name that is taken');
        if (next.status !== 201) {
          assertFailure(t, next, forking, 'a fork of what is not ready');
          assert.match(next.headers.get('retry-after') ?? '', /^[1-9]\d*$/, 'expected Retry-After');
        }
        assert.ok(git.status === 200 || git.status === 409, `expected 200 or 409 over Git, not ${git.status}`);
        if (round % 2 === 1) {
          assertSuccess(await t.rest('DELETE', pathOf(fork)), 202, 'DELETE of a fork');
          same(await statusOf(fork.name), undefined, 'It is gone at once.');
          await forkOf(t, parent, { name: fork.name });
        }
        const end = Date.now() + 20_000;
        for (let status = await statusOf(fork.name); status !== 'ready'; status = await statusOf(fork.name)) {
          same(status, 'forking', 'The status of a fork on its way.');
          assert.ok(Date.now() < end, 'expected the fork to be ready within 20 s');
          // Fewer requests than rate_rest allows, even if the fork takes long.
          await wait(50);
        }
        if (round % 2 === 0) await expectIntact(fork);
      }
    },
  },
  {
    id: 'rest/fork/account-storage',
    requirements: ['GIT-166', 'LIM-012', 'REPO-133', 'REPO-174'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(meagreSettings, 'account_storage_max'),
    explanation:
      'What a fork shares counts for it, too: above what the account may hold it is 413, and leaves nothing.',
    async run(t) {
      const file = blob(noise(500, t.seed));
      const root = tree({ file });
      const first = commit('first', root);
      const parent = await repoWith(t, { 'refs/heads/main': first }, [first, root, file]);
      for (let i = 0; i < 2; i++) {
        assertFailure(t, await askForFork(t, parent, { name: 'f' }), tooLarge, 'a fork that the account cannot hold');
      }
      const rows = assertSuccess(await t.rest('GET', `/namespaces/${parent.namespace}/repos`), 200, 'the list');
      same(
        rows.map(({ id }: { id: string }) => id),
        [parent.id],
        'Nothing is left of it.',
      );
      await expectIntact(parent);
    },
  },
  {
    id: 'rest/fork/deleted-parent',
    requirements: ['REPO-089', 'REPO-123', 'REPO-133'],
    level: 'MUST',
    beyond: true,
    explanation: 'A fork at once with the deletion of its parent is whole, or there is none.',
    async run(t) {
      for (let round = 0; round < 6; round++) {
        const first = change(`first ${round}`);
        const parent = await repoWith(t, { 'refs/heads/main': first }, first.all);
        const name = t.name('fork');
        const pause = new Promise((resolve) => setTimeout(resolve, round * 3));
        const [forked, deleted] = await Promise.all([
          askForFork(t, parent, { name }),
          pause.then(async () => t.rest('DELETE', pathOf(parent))),
        ]);
        assertSuccess(deleted, 202, 'DELETE of the parent');
        if (forked.status === 201) {
          const { remote, token } = forked.json.result;
          await expectIntact({ remote, token, fetch: t.fetch });
        } else {
          assert.equal(forked.status, 404, `expected 201 or 404, got ${shown(forked)}`);
          assertFailure(t, forked, failures.noRepo, 'a fork of a repo that is deleted');
          await t.createRepo({ name });
        }
      }
    },
  },
  {
    id: 'rest/fork/many-at-once',
    requirements: ['REPO-006', 'REPO-106', 'REPO-123'],
    level: 'MUST',
    explanation: 'Many forks of one repo at once are all whole, and all counted.',
    async run(t) {
      const first = change('first');
      const parent = await repoWith(t, { 'refs/heads/main': first, 'refs/heads/b': first }, first.all);
      const before: RestReply = await t.rest('GET', `/namespaces/${parent.namespace}`);
      const forks = await Promise.all(Array.from({ length: 8 }, async () => forkOfAll(t, parent)));
      same(new Set(forks.map(({ id }) => id)).size, 8, 'Each has an id of its own.');
      for (const fork of forks) await expectIntact(fork);
      const after = await t.rest('GET', `/namespaces/${parent.namespace}`);
      same(after.json.result.repo_count, before.json.result.repo_count + 8, 'Each is counted.');
    },
  },
);
