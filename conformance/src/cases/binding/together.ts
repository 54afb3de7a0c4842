/** The binding together with REST and Git: three views of one service. */

import assert from 'node:assert/strict';
import type { SeenRepo } from '../../core/binding.ts';
import { suite, type Suite } from '../../core/case.ts';
import { change, pack } from '../../tools/made-objects.ts';
import { accepted } from '../../steps/repo-with.ts';
import { discover, listedRefs, set } from '../../tools/wire-client.ts';
import { withoutDetails } from '../../steps/values.ts';
import { assertRefused, assertSuccess, failures } from '../../steps/replies.ts';
import { assertRejected, messages, remoteOf } from './rejections.ts';

/** Renames the members of a repo from REST to the names of the binding. */
// oxlint-disable-next-line typescript/no-explicit-any -- a reply, of which the case asserts the shape
function camelCase(shown: any): SeenRepo {
  const { default_branch, created_at, updated_at, last_push_at, read_only, ...same } = withoutDetails(shown);
  const times = { createdAt: created_at, updatedAt: updated_at, lastPushAt: last_push_at };
  return { ...same, defaultBranch: default_branch, ...times, readOnly: read_only };
}

export const together: Suite = suite(
  {
    id: 'binding/together/from-binding',
    requirements: ['BIND-014', 'BIND-022', 'BIND-024', 'REPO-005', 'REPO-006'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'What the binding makes, changes and deletes, REST and Git see at once, as the same.',
    async run(t) {
      const binding = t.binding();
      const made = await binding.create(t.name('Same'), { description: 'd', setDefaultBranch: 'trunk' });
      const path = `/namespaces/${binding.namespace}/repos/${made.name}`;
      const repo = await binding.get(made.name);
      const shown = assertSuccess(await t.rest('GET', path), 200, 'GET of the repo');
      assert.deepEqual(camelCase(shown), withoutDetails(await repo.info()), 'expected REST to show the same');
      assert.equal((await discover(remoteOf(t, made))).status, 200, 'expected Git to know the token');
      const minted = await repo.createToken('read');
      const listed = assertSuccess(await t.rest('GET', `${path}/tokens`), 200, 'the list of tokens');
      assert.ok(
        listed.some(({ id }: { id: string }) => id === minted.id),
        'expected REST to list the token',
      );
      assert.equal(await repo.revokeToken(minted.id), true, 'expected it to be revoked');
      assert.equal((await discover({ ...remoteOf(t, made), token: minted.plaintext })).status, 403, 'expected no more');
      assert.equal(await binding.delete(made.name), true, 'expected it to be deleted');
      await assertRefused(t, ['GET', path], failures.noRepo);
      assert.equal((await discover(remoteOf(t, made))).status, 403, 'expected Git not to know it');
    },
  },
  {
    id: 'binding/together/to-binding',
    requirements: ['BIND-024', 'BIND-035', 'BIND-061', 'REPO-005', 'REPO-006'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'What REST and Git make, change and delete, the binding sees at once, as the same.',
    async run(t) {
      const binding = t.binding();
      const { namespace } = binding;
      const made = await t.createRepo({ namespace, body: { description: 'd' } });
      const path = `/namespaces/${namespace}/repos/${made.name}`;
      t.removeLater(path);
      const repo = await binding.get(made.name);
      const shown = assertSuccess(await t.rest('GET', path), 200, 'GET of the repo');
      assert.deepEqual(withoutDetails(await repo.info()), camelCase(shown), 'expected the binding to show the same');
      assert.equal((await binding.list({ limit: 1 })).repos[0]?.id, made.id, 'expected it first in the list');
      const first = change('first');
      await accepted(made, [set('refs/heads/main', first)], pack(...first.all));
      assert.equal((await repo.log())[0]?.hash, first.oid, 'expected the commit that was pushed');
      const second = change('second', first);
      await accepted(made, [set('refs/heads/main', second, first)], pack(...second.all));
      assert.equal((await repo.log())[0]?.hash, second.oid, 'expected the second push');
      assert.equal((await listedRefs(made))['refs/heads/main'], second.oid, 'expected Git to list the same');
      const token = await t.mintToken(made, { scope: 'read' });
      assert.equal(await repo.revokeToken(token), true, 'expected the token to be known');
      assertSuccess(await t.rest('DELETE', path), 202, 'DELETE of the repo');
      await assertRejected(t, repo.info(), 'NOT_FOUND', 'info of the handle');
      await assertRejected(t, binding.get(made.name), 'NOT_FOUND', 'get', messages.noRepo(made.name));
    },
  },
);
