/** `delete` of docs/specification/binding.md. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { discover } from '../../tools/wire-client.ts';
import { assertRejected, remoteOf } from './rejections.ts';

export const deletes: Suite = suite({
  id: 'binding/delete/effects',
  requirements: ['BIND-050', 'BIND-051', 'BIND-086', 'REPO-116'],
  level: 'MUST',
  needs: ['binding'],
  explanation: 'Deleting says whether there was a repo; its name is free at once, and its tokens open nothing.',
  async run(t) {
    const binding = t.binding();
    const name = t.name('Deleted');
    const made = await binding.create(name);
    const remote = remoteOf(t, made);
    assert.equal((await discover(remote)).status, 200, 'expected the token to open the repo');
    assert.equal(await binding.delete(name.toLowerCase()), true, 'expected true for a repo');
    assert.equal(await binding.delete(name), false, 'expected false right after it');
    assert.equal(await binding.delete(t.name()), false, 'expected false for a name that none has');
    assert.equal((await discover(remote)).status, 403, 'expected the token to be gone');
    const listed = await binding.list({ limit: 200 });
    assert.ok(!listed.repos.some(({ id }) => id === made.id), 'expected it in no list');
    const again = await binding.create(name);
    assert.notEqual(again.id, made.id, 'expected another repo');
    for (const bad of ['', '-x', 'a b', 'x'.repeat(513), undefined, 7, {}]) {
      const what = `delete(${JSON.stringify(bad)?.slice(0, 20) ?? 'undefined'})`;
      await assertRejected(t, binding.delete(bad), 'INVALID_REPO_NAME', what);
    }
    assert.equal((await (await binding.get(name)).info()).id, again.id, 'expected the new one to be there');
  },
});
