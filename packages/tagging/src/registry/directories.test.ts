import { describe, expect, it } from 'vitest';
import type { ResourceDirectory } from '../model/resource-directory.ts';
import type { ResourceIdentity } from '../model/tag-store.ts';
import { defaultResourceTypes } from './default-resource-types.ts';
import { createDirectories, type SharedDirectory } from './directories.ts';
import { createRegistry } from './registry.ts';

const named = (name: string): ResourceDirectory => ({ find: async () => ({ name }) });
const resource = (type: string, id: string, zone: string | null = null): ResourceIdentity => ({
  type,
  zone,
  parent: null,
  id,
});

const builtIn: ResourceDirectory = {
  find: async ({ account, id }) => (account === 'a1' && id === 'r1' ? { name: 'Default/Notes' } : undefined),
};

function directories(shared?: SharedDirectory, own?: ResourceDirectory) {
  const registry = createRegistry(
    [...defaultResourceTypes, { type: 'repository', level: 'account' }],
    [
      {
        name: 'resourceTypes',
        changes: own ? { remove: ['worker'], add: [{ type: 'worker', level: 'account', directory: own }] } : {},
      },
    ],
  );
  return createDirectories(registry, new Map([['repository', builtIn]]), shared);
}

describe('directories', () => {
  it('TAG-130: only the account and the zone of the path exist, even with a shared directory', async () => {
    const { ask } = directories(named('shared'));
    expect(await ask('a1', resource('account', 'a1'))).toEqual({ name: 'a1' });
    expect(await ask('a1', resource('account', 'a2'))).toBe('unknown');
    expect(await ask('a1', resource('zone', 'z1', 'z1'))).toEqual({ name: 'z1' });
    expect(await ask('a1', resource('zone', 'z2', 'z1'))).toBe('unknown');
    expect(await ask('a1', resource('zone', 'a1', 'z1'))).toBe('unknown');
  });

  it('TAG-130: every id exists without a directory', async () => {
    const { ask, serves } = directories();
    expect(await ask('a1', resource('worker', 'anything'))).toBe('unserved');
    expect([serves('worker'), serves('zone'), serves('repository')]).toEqual([false, true, true]);
  });

  it('TAG-130: a built-in directory comes before the shared one', async () => {
    const { ask } = directories(named('shared'));
    expect(await ask('a1', resource('repository', 'r1'))).toEqual({ name: 'Default/Notes' });
    expect(await ask('a1', resource('repository', 'r2'))).toBe('unknown');
  });

  it('TAG-125: the directory of a type comes before the shared one, which may omit types', async () => {
    const shared: SharedDirectory = { ...named('shared'), serves: (type) => type === 'worker' || type === 'queue' };
    const { ask, serves } = directories(shared, named('own'));
    expect(await ask('a1', resource('worker', 'w'))).toEqual({ name: 'own' });
    expect(await ask('a1', resource('queue', 'q'))).toEqual({ name: 'shared' });
    expect(await ask('a1', resource('image', 'i'))).toBe('unserved');
    expect([serves('queue'), serves('image')]).toEqual([true, false]);
    expect(await directories(named('all')).ask('a1', resource('image', 'i'))).toEqual({ name: 'all' });
  });

  it('TAG-029: receives account and identity; a resource without a name has its id', async () => {
    const asked: unknown[] = [];
    const shared: SharedDirectory = {
      async find(given) {
        asked.push(given);
        return {};
      },
    };
    const given: ResourceIdentity = { type: 'access_application_policy', zone: 'z1', parent: 'p', id: 'i' };
    expect(await directories(shared).ask('a1', given)).toEqual({ name: 'i' });
    expect(asked).toEqual([{ ...given, account: 'a1' }]);
  });
});
