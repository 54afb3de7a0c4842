/** BIND-026: concurrent calls. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { BindingFailure } from '../../binding/failure.ts';
import { assertRejected, messages } from './rejections.ts';

export const races: Suite = suite({
  id: 'binding/races/one-name',
  requirements: ['BIND-026', 'BIND-091', 'REPO-112'],
  level: 'MUST',
  needs: ['binding'],
  explanation: 'Of calls that make a repo of one name at the same time, exactly one succeeds, REST included.',
  async run(t) {
    const binding = t.binding();
    const parent = await binding.get((await binding.create(t.name('parent'))).name);
    for (let round = 0; round < 3; round += 1) {
      const name = t.name('raced');
      const calls = Array.from({ length: 8 }, async (_, i) =>
        i % 3 === 2 ? await parent.fork(name) : await binding.create(name),
      );
      const rest = t.rest('POST', `/namespaces/${binding.namespace}/repos`, { body: { name } });
      const ended = await Promise.allSettled(calls);
      const { status } = await rest;
      const made = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      assert.ok(status === 201 || status === 409, `expected REST to answer 201 or 409, not ${status}`);
      assert.equal(made.length + (status === 201 ? 1 : 0), 1, 'expected one of them to succeed');
      for (const one of ended) {
        if (one.status === 'fulfilled') continue;
        if (!(one.reason instanceof BindingFailure)) throw one.reason;
        await assertRejected(t, Promise.reject(one.reason), 'ALREADY_EXISTS', 'a call', messages.taken(name));
      }
      const { id } = await (await binding.get(name)).info();
      if (made[0] !== undefined) assert.equal(id, made[0].id, 'expected the repo of the one that succeeded');
    }
  },
});
