import type { TagChange, TagStore } from '@packhouse/tagging';
import { expect, it } from 'vitest';
import { accountPorts } from '../src/calls/account-ports.ts';
import { remotePort, type PortObject } from '../src/calls/remote-port.ts';
import { newUsage } from '../src/request/usage.ts';

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
  const object: PortObject<string> = {
    callPort: async () => {
      throw Object.assign(new Error('reset'), { durableObjectReset: true });
    },
  };
  return { store: remotePort(accountPorts, 'tags', { place: 'a', usage, stub: () => object }), usage };
}

const repeated: readonly (readonly [string, (store: TagStore) => Promise<unknown>])[] = [
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
  ['set', (store: TagStore) => store.set({ ...change, ifMatch: '*' })],
  ['remove', (store: TagStore) => store.remove(resource, '"v1:x"')],
] as const)('TAG-046: %s with a condition is called once, since a second answer could differ', async (_, call) => {
  const { store, usage } = failing();
  await expect(call(store)).rejects.toThrow('reset');
  expect(usage.objectCalls).toBe(1);
});
