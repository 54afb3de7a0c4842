import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { describe, expect, it } from 'vitest';
import type { Catalog, HostedRepo } from '@packhouse/hosting';
import { createAreas, type AreaOptions } from '../areas.ts';
import type { Tagging, TagScope, TagStores } from '@packhouse/tagging';
import { simpleTagStores } from '@packhouse/tagging/contract';

const inAccount: TagScope = { account: 'a1', zone: null };

const options: AreaOptions = {
  engine: createGitEngine({ codec: nodeCodec() }),
  storage: {
    catalog: () => ({ repoById: async () => undefined }) as unknown as Catalog,
    repos: { repo: () => ({}) as HostedRepo, sharePacks: async () => false },
  },
  authorize: async (token) => (token === 'known' ? [{ account: 'a1', permission: 'Tag Write' }] : undefined),
  settings: { accounts: ['a1', 'a2'] },
};
const tagged = ({
  tags = simpleTagStores(),
  ...changes
}: Partial<AreaOptions> & { readonly tags?: TagStores } = {}): Tagging => {
  const { tagging } = createAreas({ ...options, storage: { ...options.storage, tags }, ...changes });
  if (tagging === undefined) throw new Error('no tagging');
  return tagging;
};
const request = (authorization?: string) =>
  new Request('http://host/', { headers: authorization === undefined ? {} : { authorization } });

describe('the tagging of the service', () => {
  it('exists only with a store', () => {
    expect(createAreas(options).tagging).toBeUndefined();
    expect(tagged()).toBeDefined();
  });

  it.each([undefined, '', 'Basic a25vd246', 'Bearer', 'Bearer unknown', 'known'])(
    'TAG-016: rejects the credential %j',
    async (authorization) => {
      await expect(tagged().admit(request(authorization), { account: 'a1' }, 'read')).rejects.toMatchObject({
        kind: 'authentication',
        status: 401,
      });
    },
  );

  it('TAG-016, TAG-144: accepts a bearer token, and counts it the same in any spelling of the header', async () => {
    const tagging = tagged({ settings: { ...options.settings, rate_tags: { requests: 1, seconds: 300 } } });
    await tagging.admit(request('bearer  known'), { account: 'a1' }, 'write');
    await expect(tagging.admit(request('Bearer known'), { account: 'a1' }, 'read')).rejects.toMatchObject({
      kind: 'rate',
    });
  });

  it('TAG-018: finds zones in the setting, or in the port if there is one', async () => {
    const settings = { ...options.settings, zones: { z1: 'a1', z2: 'a2' } };
    const tagging = tagged({ settings });
    expect(await tagging.admit(request('Bearer known'), { zone: 'z1' }, 'read')).toEqual({ account: 'a1', zone: 'z1' });
    await expect(tagging.admit(request('Bearer known'), { zone: 'z2' }, 'read')).rejects.toMatchObject({ status: 403 });
    const zones = { accountOf: async (zone: string) => (zone === 'z9' ? 'a1' : undefined) };
    const other = tagged({ settings, zones });
    expect(await other.admit(request('Bearer known'), { zone: 'z9' }, 'read')).toEqual({ account: 'a1', zone: 'z9' });
    await expect(other.admit(request('Bearer known'), { zone: 'z1' }, 'read')).rejects.toMatchObject({ status: 403 });
  });

  it('TAG-125 to TAG-128: has the default types and repositories, changed by the setting and then by the option', () => {
    const types = (changes?: Partial<AreaOptions>): readonly string[] => tagged(changes).types.map(({ type }) => type);
    expect(types()).toHaveLength(42);
    expect(types()).toContain('repository');
    expect(types()).toEqual(types().toSorted());
    const settings = {
      ...options.settings,
      resource_types: { add: [{ type: 'bucket', level: 'account' as const }], remove: ['repository', 'zone'] },
    };
    const resourceTypes = { add: [{ type: 'zone', level: 'zone' as const }], remove: ['bucket'] };
    expect(types({ settings }).filter((type) => !types().includes(type))).toEqual(['bucket']);
    expect(types({ settings, resourceTypes })).toEqual(types().filter((type) => type !== 'repository'));
  });

  it('TAG-125: types that break a rule stop the start, even without a store', () => {
    const settings = { ...options.settings, resource_types: { remove: ['worke'] } };
    expect(() => createAreas({ ...options, settings })).toThrow('resource_types must not remove "worke"');
    const resourceTypes = { add: [{ type: 'repository', level: 'account' as const }] };
    expect(() => createAreas({ ...options, resourceTypes })).toThrow(
      'resourceTypes must not add the resource type "repository": it is there already',
    );
  });

  it('TAG-130: asks the directory of the host about types without a directory', async () => {
    const tagging = tagged({ resourceDirectory: { find: async ({ id }) => (id === 'w' ? { name: 'W' } : undefined) } });
    const set = (resource_type: string, resource_id: string) =>
      tagging.set(inAccount, { resource_type, resource_id, tags: {} }, null);
    expect((await set('worker', 'w')).name).toBe('W');
    expect((await set('account', 'a1')).name).toBe('a1');
    for (const type of ['worker', 'repository']) await expect(set(type, 'x')).rejects.toMatchObject({ status: 404 });
    await expect(set('repository', 'w')).rejects.toMatchObject({ status: 404 });
  });

  it('TAG-142, TAG-143: passes on the limits of the settings', async () => {
    const seen: unknown[] = [];
    const stores = simpleTagStores();
    const tagging = tagged({
      settings: { ...options.settings, account_tags_max: 7, resource_tags_max: 3 },
      tags: (account) => ({
        ...stores(account),
        set(change) {
          seen.push([change.accountMax, change.resourceMax]);
          return stores(account).set(change);
        },
      }),
    });
    await tagging.set(inAccount, { resource_type: 'worker', resource_id: 'w', tags: {} }, null);
    expect(seen).toEqual([[7, 3]]);
  });
});
