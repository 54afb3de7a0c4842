/** `get` and `info` of docs/specification/binding.md. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { change, pack } from '../../tools/made-objects.ts';
import { accepted } from '../../steps/repo-with.ts';
import { set } from '../../tools/wire-client.ts';
import { assertMembers, timeOf, withoutDetails } from '../../steps/values.ts';
import { handleCalls } from './handle-calls.ts';
import { assertRejected, failureOf, messages, remoteOf } from './rejections.ts';

const infoMembers = [
  'id',
  'name',
  'description',
  'defaultBranch',
  'createdAt',
  'updatedAt',
  'lastPushAt',
  'source',
  'readOnly',
  'remote',
];

/** Every method of a handle, with valid arguments. */
const calls = handleCalls('0'.repeat(40), 'a'.repeat(16), 'a-fork-of-what-is-gone');

export const gets: Suite = suite(
  {
    id: 'binding/get/handle',
    requirements: ['BIND-035', 'BIND-060', 'BIND-061', 'BIND-014', 'BIND-015', 'REPO-057'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'A handle has methods and no data; info looks the repo up afresh, under its name in any case.',
    async run(t) {
      const binding = t.binding();
      const made = await binding.create(t.name('Info'), { description: 'd' });
      const repo = await binding.get(made.name.toUpperCase());
      const before = withoutDetails(await repo.info());
      assertMembers(before, infoMembers, 'the info');
      const { token: _, ...shared } = made;
      const times = { createdAt: before.createdAt, updatedAt: before.createdAt, lastPushAt: null };
      assert.deepEqual(before, { ...shared, ...times, source: null, readOnly: false }, 'expected what was made');
      timeOf(before.createdAt, 'createdAt');
      for (const name of [...infoMembers, 'token', 'status', 'tokens']) {
        if (name === 'info') continue;
        const value = await repo.property(name).catch(() => undefined);
        assert.equal(value, undefined, `expected no member ${name} of the handle`);
      }
      const first = change('first');
      await accepted(remoteOf(t, made), [set('refs/heads/main', first)], pack(...first.all));
      const after = withoutDetails(await repo.info());
      assert.equal(after.updatedAt, after.lastPushAt, 'expected the time of the push');
      const { updatedAt, lastPushAt } = after;
      timeOf(lastPushAt, 'lastPushAt');
      assert.deepEqual(after, { ...before, updatedAt, lastPushAt }, 'expected all else as it was');
    },
  },
  {
    id: 'binding/get/missing',
    requirements: ['BIND-036', 'BIND-080', 'BIND-083', 'BIND-090'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'A name that no repo has, be it valid or not, is not found, and the message says which.',
    async run(t) {
      const binding = t.binding();
      const gone = await binding.create(t.name('gone'));
      assert.equal(await binding.delete(gone.name), true, 'expected it to be deleted');
      const long = 'x'.repeat(600);
      for (const name of [gone.name, t.name(), '', '-x', 'a b', 'a/b', 'constructor', long]) {
        await assertRejected(t, binding.get(name), 'NOT_FOUND', `get(${name.slice(0, 20)})`, messages.noRepo(name));
      }
    },
  },
  {
    id: 'binding/get/reasons',
    requirements: ['BIND-114'],
    level: 'MUST',
    beyond: true,
    needs: ['binding'],
    explanation: 'An error also says in one word which case it is, whether to try again, and what to do next.',
    async run(t) {
      const binding = t.binding();
      const { name } = await binding.create(t.name('reasons'));
      const repo = await binding.get(name);
      for (const [call, reason] of [
        [() => binding.get(t.name('none')), 'repo_not_found'],
        [() => binding.create(name), 'repo_exists'],
        [() => binding.create('-'), 'invalid_repo_name'],
        [() => repo.createToken('read', 1), 'invalid_ttl'],
        [() => repo.search('x'), 'ref_not_found'],
      ] as const) {
        const { own } = (await failureOf(call(), reason)).error;
        assert.deepEqual([own['reason'], own['retryable']], [reason, false], 'expected this reason');
        assert.match(String(own['hint']), /^[A-Z][^\n]*\.$/, `${reason}: expected a sentence as the hint`);
      }
    },
  },
  {
    id: 'binding/get/after-delete',
    requirements: ['BIND-038', 'BIND-084', 'REPO-116'],
    level: 'MUST',
    needs: ['binding'],
    explanation:
      'A handle stands for one repo: when that is deleted, each method is rejected, whoever has the name then.',
    async run(t) {
      const binding = t.binding();
      const name = t.name('reborn');
      const first = await binding.create(name);
      const old = await binding.get(name);
      await old.info();
      assert.equal(await binding.delete(name), true, 'expected it to be deleted');
      for (const [method, ...args] of calls) {
        await assertRejected(t, old.call(method, ...args), 'NOT_FOUND', `${method} of a handle whose repo is deleted`);
      }
      const second = await binding.create(name);
      assert.notEqual(second.id, first.id, 'expected an id of its own');
      for (const [method, ...args] of calls) {
        await assertRejected(t, old.call(method, ...args), 'NOT_FOUND', `${method}, where a new repo has the name`);
      }
      const fresh = await binding.get(name);
      assert.equal((await fresh.info()).id, second.id, 'expected a new handle to be that of the new repo');
      const { total } = await fresh.listTokens();
      assert.equal(total, 1, 'expected the old handle to have minted no token for it');
    },
  },
);
