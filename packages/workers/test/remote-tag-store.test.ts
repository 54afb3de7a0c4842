import type { TagChange } from '@packhouse/tagging';
import { expect, it } from 'vitest';
import { RemoteTagStore } from '../src/calls/remote-tag-store.ts';
import type { TagCalls } from '../src/calls/tag-calls.ts';
import { newUsage } from '../src/service/usage.ts';

const resource = { type: 'worker', zone: null, parent: null, id: 'w' };
const slice = { limit: 10 };
const change: TagChange = {
  resource,
  name: 'w',
  tags: { a: 'b' },
  ifMatch: null,
  at: 1,
  accountMax: 10,
  resourceMax: null,
};

/** A store whose every call fails as it does when an object is reset. */
function failing() {
  const usage = newUsage();
  const calls = new Proxy({} as TagCalls, {
    get: () => async () => {
      throw Object.assign(new Error('reset'), { durableObjectReset: true });
    },
  });
  return { store: new RemoteTagStore({ account: 'a', usage, stub: () => calls }), usage };
}

const repeated: readonly (readonly [string, (store: RemoteTagStore) => Promise<unknown>])[] = [
  ['record', (store) => store.record(resource)],
  ['set', (store) => store.set(change)],
  ['remove', (store) => store.remove(resource, null)],
  ['rename', (store) => store.rename(resource, 'x')],
  [
    'resources',
    (store) => store.resources({ types: [], ids: [], name: '', filters: [], caseInsensitive: false }, slice),
  ],
  ['keys', (store) => store.keys(slice)],
  ['values', (store) => store.values('a', null, slice)],
  ['summary', (store) => store.summary(slice)],
  ['keepPlace', (store) => store.keepPlace('id', 'place', 1)],
  ['keptPlace', (store) => store.keptPlace('id')],
];

it.each(repeated)('%s is called again when the object was reset', async (_, call) => {
  const { store, usage } = failing();
  await expect(call(store)).rejects.toThrow('reset');
  expect(usage.objectCalls).toBe(3);
});

it.each([
  ['set', (store: RemoteTagStore) => store.set({ ...change, ifMatch: '*' })],
  ['remove', (store: RemoteTagStore) => store.remove(resource, '"v1:x"')],
] as const)('TAG-046: %s with a condition is called once, since a second answer could differ', async (_, call) => {
  const { store, usage } = failing();
  await expect(call(store)).rejects.toThrow('reset');
  expect(usage.objectCalls).toBe(1);
});
