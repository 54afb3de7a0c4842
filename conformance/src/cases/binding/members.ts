/** BIND-023: only specified members can be called. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { failureOf } from './rejections.ts';

const others = [
  'namespace',
  'account',
  'props',
  'ctx',
  'env',
  'hosting',
  'engine',
  'repos',
  'repo',
  'admin',
  'setNamespace',
  'createNamespace',
  'deleteNamespace',
  'listNamespaces',
  'namespaces',
  'tokens',
  'state',
  'id',
  'erase',
  'push',
  'inner',
];

export const members: Suite = suite({
  id: 'binding/members/none-other',
  requirements: ['BIND-007', 'BIND-023'],
  level: 'MUST',
  needs: ['binding'],
  explanation: 'Binding and handles have no further methods, and no argument leads into another namespace.',
  async run(t) {
    const binding = t.binding();
    const { name } = await binding.create(t.name());
    const repo = await binding.get(name);
    for (const method of others) {
      for (const [what, one] of [
        ['the binding', binding],
        ['a handle', repo],
      ] as const) {
        const { error } = await failureOf(one.call(method, name), `${method} of ${what}`);
        assert.equal(error.own['code'], undefined, `${method} of ${what}: expected that there is none`);
      }
    }
    const elsewhere = await t.createRepo();
    for (const path of [elsewhere.name, `${elsewhere.namespace}/${elsewhere.name}`, `../${elsewhere.namespace}`]) {
      await failureOf(binding.get(path), `get(${path})`);
    }
    const aside = { namespace: elsewhere.namespace, account: 'other' };
    const made = await binding.create(t.name(), aside);
    const listed = await binding.list({ limit: 200, ...aside });
    assert.ok(
      listed.repos.some(({ id }) => id === made.id),
      'expected its own namespace',
    );
    assert.ok(!listed.repos.some(({ id }) => id === elsewhere.id), 'expected nothing of another namespace');
  },
});
