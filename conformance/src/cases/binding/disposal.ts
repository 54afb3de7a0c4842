/** Section 7 of docs/specification/binding.md. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { handleCalls } from './handle-calls.ts';
import { failureOf } from './rejections.ts';

const calls = handleCalls('', '', 'never-made');

export const disposal: Suite = suite(
  {
    id: 'binding/disposal/after',
    requirements: ['BIND-100', 'BIND-101', 'BIND-102', 'BIND-016'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'A handle that was disposed of answers nothing more, and the repo is as it was.',
    async run(t) {
      const binding = t.binding();
      const { name, id } = await binding.create(t.name());
      const [repo, other] = [await binding.get(name), await binding.get(name)];
      await repo.dispose();
      await repo.dispose();
      for (const [method, ...args] of calls) {
        const { error } = await failureOf(repo.call(method, ...args), `${method} after disposal`);
        assert.ok(error.isError, `${method}: expected an Error`);
        assert.deepEqual([error.name, error.own['code']], ['Error', undefined], `${method}: expected a plain one`);
      }
      assert.equal((await other.info()).id, id, 'expected another handle to work on');
      assert.equal((await (await binding.get(name)).info()).id, id, 'expected the repo as it was');
    },
  },
  {
    id: 'binding/disposal/before',
    requirements: ['BIND-101'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'Calls that were begun before a handle is disposed of end as they would.',
    async run(t) {
      const binding = t.binding();
      const { name, id } = await binding.create(t.name());
      const info = (await (await binding.get(name)).callThenDispose('info')) as { readonly id: string };
      assert.equal(info.id, id, 'expected the result of the call');
      const token = (await (await binding.get(name)).callThenDispose('createToken', 'read')) as {
        readonly scope: string;
      };
      assert.equal(token.scope, 'read', 'expected the token');
    },
  },
);
