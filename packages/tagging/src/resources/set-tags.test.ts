import { describe, expect, it } from 'vitest';
import type { ResourceDirectory } from '../model/resource-directory.ts';
import { defaultResourceTypes } from '../registry/default-resource-types.ts';
import { createRegistry } from '../registry/registry.ts';
import { simpleTagStores } from '../contract/simple-tag-stores.ts';
import { inAccount, inZone, json, testTagging } from '../service/tagging.test.util.ts';

const emptyEtag = 'v1:RBNvo1WzZ4oRRq0W9-hkng';
const worker = (tags: unknown) => ({ resource_type: 'worker', resource_id: 'w', tags });
/** A registry with a type `thing` that has this directory. */
const withDirectory = (directory: ResourceDirectory) =>
  createRegistry(defaultResourceTypes, [
    { name: 'resourceTypes', changes: { add: [{ type: 'thing', level: 'account', directory }] } },
  ]);
const thing = (tags: unknown) => ({ resource_type: 'thing', resource_id: 't', tags });

const refusal = async (body: unknown, scope = inAccount, ifMatch: string | null = null): Promise<unknown> => {
  try {
    return await testTagging({ settings: { account_tags_max: 0 } }).set(scope, body, ifMatch);
  } catch (error) {
    const { code, status, pointer } = error as Record<string, unknown>;
    return [code, status, pointer];
  }
};

describe('a set', () => {
  it('TAG-002, TAG-027 to TAG-035: returns the object after the write, with members in order', async () => {
    const body = json(
      '{"resource_type":"worker_version","resource_id":"7c0e","worker_id":"b1d2","tags":{"team":"platform","environment":"production"}}',
    );
    expect(JSON.stringify(await testTagging().set(inAccount, body, null))).toBe(
      '{"id":"7c0e","type":"worker_version","name":"7c0e","tags":{"environment":"production","team":"platform"},"etag":"v1:TQa2wNntoLzkR3dLOCiIug","worker_id":"b1d2","tags_updated_at":"1970-01-01T00:00:01.000Z"}',
    );
  });

  it('TAG-005, TAG-032, TAG-034: has the zone id before the parent', async () => {
    const body = { resource_type: 'access_application_policy', resource_id: 'p', access_application_id: 'a', tags: {} };
    const result = await testTagging().set(inZone, body, null);
    expect(Object.keys(result)).toEqual([
      'id',
      'type',
      'name',
      'tags',
      'etag',
      'zone_id',
      'access_application_id',
      'tags_updated_at',
    ]);
    expect(result).toMatchObject({ zone_id: 'z1', access_application_id: 'a', tags: {}, etag: emptyEtag });
  });

  it('TAG-043, TAG-052: allows keys with the names of inherited members', async () => {
    const tagging = testTagging();
    const body = json(
      '{"resource_type":"worker","resource_id":"w","tags":{"__proto__":"y","__proto__":"x","constructor":"y"}}',
    );
    const result = await tagging.set(inAccount, body, null);
    expect(JSON.stringify(result.tags)).toBe('{"__proto__":"x","constructor":"y"}');
    expect(result.etag).toBe('v1:tYEWsfKp7R06omi4r9R00g');
    const again = await tagging.get(inAccount, '?resource_type=worker&resource_id=w');
    expect(JSON.stringify(again)).toBe(JSON.stringify(result));
    // The body has only inherited members, which do not count.
    expect(await refusal(Object.create({ ...worker({}) }))).toEqual([1002, 400, '/resource_type']);
  });

  it('TAG-045 to TAG-049: passes If-Match to the store', async () => {
    const tagging = testTagging();
    await expect(tagging.set(inAccount, worker({}), '*')).rejects.toMatchObject({
      code: 10412,
      status: 412,
      message: 'etag does not match',
    });
    await tagging.set(inAccount, worker({ a: '1' }), `"${emptyEtag}"`);
    await expect(tagging.set(inAccount, worker({}), emptyEtag)).rejects.toMatchObject({ code: 10412 });
    expect((await tagging.set(inAccount, worker({}), '*')).tags).toEqual({});
  });

  it('TAG-142, TAG-167: reports the maximum number of tags', async () => {
    await expect(
      testTagging({ settings: { account_tags_max: 0 } }).set(inAccount, worker({ a: '1' }), null),
    ).rejects.toMatchObject({ code: 10110, status: 400, message: 'too many tags (maximum 0)', pointer: '/tags' });
  });
});

const longKey = 'k'.repeat(257);
const longValue = 'v'.repeat(1025);

describe('the body of a set', () => {
  it.each([undefined, null, [], 'text', 7, true])('TAG-154, TAG-175: refuses %j', async (body) => {
    expect(await refusal(body)).toEqual([1002, 400, undefined]);
  });

  it.each<[string, object]>([
    ['/resource_type', { ...worker({}), resource_type: undefined }],
    ['/resource_type', { ...worker({}), resource_type: '' }],
    ['/resource_type', { ...worker({}), resource_type: ['worker'] }],
    ['/resource_id', { ...worker({}), resource_id: null }],
    ['/resource_id', { ...worker({}), resource_id: '' }],
    ['/resource_id', { ...worker({}), resource_id: 'x'.repeat(1025) }],
    ['/resource_id', { ...worker({}), resource_id: 'a\0' }],
    ['/resource_id', { ...worker({}), resource_id: '\ud800' }],
    ['/tags', { resource_type: 'worker', resource_id: 'w' }],
    ['/tags', worker(null)],
    ['/tags', worker([])],
    ['/tags', worker('a')],
    ['/tags', worker(1)],
    ['/tags/a~1b~0c', worker({ 'a/b~c': 1 })],
    ['/tags/a', worker({ a: null })],
    ['/tags/a', worker({ a: {} })],
    ['/tags/a', worker({ a: ['b'] })],
    ['/tags/a', worker({ a: true })],
    ['/tags/a', worker({ a: 'b\0' })],
    ['/tags/a', worker({ a: '\udc00' })],
  ])('TAG-023, TAG-134, TAG-154, TAG-176, TAG-177: the member %s', async (pointer, body) => {
    expect(await refusal(body)).toEqual([1002, 400, pointer]);
  });

  it('TAG-148, TAG-149: reports the first failure in the order', async () => {
    const all = {
      resource_type: 'nonsense',
      resource_id: 'v',
      tags: { z: longValue, [longKey]: '', b: '1', 'a b': '' },
    };
    expect(await refusal({ ...all, tags: { ...all.tags, y: 0, x: 0 } })).toEqual([1002, 400, '/tags/x']);
    expect(await refusal(all)).toEqual([1006, 400, '/resource_type']);
    const version = { ...all, resource_type: 'worker_version' };
    expect(await refusal(version)).toEqual([1002, 400, '/worker_id']);
    const whole = { ...version, worker_id: 'w' };
    expect(await refusal(whole)).toEqual([1014, 400, '/tags/a b']);
    const { 'a b': _, ...others } = whole.tags;
    expect(await refusal({ ...whole, tags: others })).toEqual([1011, 400, `/tags/${longKey}`]);
    expect(await refusal({ ...whole, tags: { z: longValue } })).toEqual([1012, 400, '/tags/z']);
    const account = { resource_type: 'account', resource_id: 'other', tags: { a: '1' } };
    expect(await refusal(account, inAccount, 'no')).toEqual([10200, 404, undefined]);
    expect(await refusal({ ...account, resource_id: 'a1' }, inAccount, 'no')).toEqual([10412, 412, undefined]);
    expect(await refusal({ ...account, resource_id: 'a1' })).toEqual([10110, 400, '/tags']);
  });

  it('TAG-037, TAG-149: checks tags in the order of UTF-16 units', async () => {
    // U+10400 comes before U+FB01, and keys of digits are sorted like others.
    expect(await refusal(worker({ ﬁ: longValue, 𐐀: longValue }))).toEqual([1012, 400, '/tags/𐐀']);
    expect(await refusal(worker({ 10: longValue, '!': longValue, 9: longValue }))).toEqual([1014, 400, '/tags/!']);
    expect(await refusal(worker({ 9: longValue, 10: longValue }))).toEqual([1012, 400, '/tags/10']);
  });

  it('TAG-149: checks the length of the key first and the value last', async () => {
    expect(await refusal(worker({ ['!'.repeat(257)]: longValue }))).toEqual([1011, 400, `/tags/${'!'.repeat(257)}`]);
    expect(await refusal(worker({ '!': longValue }))).toEqual([1014, 400, '/tags/!']);
  });

  it.each(['', ' ', 'a b', 'a/b', '😀', 'E\u0301', '\ud800', 'a:b', 'a\0'])('TAG-178: the key %j', async (key) => {
    await expect(testTagging().set(inAccount, worker({ [key]: '' }), null)).rejects.toMatchObject({
      code: 1014,
      message: 'Invalid tag key',
      detail: expect.stringContaining(`key ${JSON.stringify(key)}: `),
    });
  });

  it('TAG-025: names the key of a value that is too long', async () => {
    await expect(testTagging().set(inAccount, worker({ team: longValue }), null)).rejects.toMatchObject({
      code: 1012,
      detail: 'key "team": value of more than 1024 characters',
    });
  });

  it.each([
    [inAccount, 'dns_record'],
    [inZone, 'worker'],
    [inAccount, 'Worker'],
    [inAccount, '__proto__'],
    [inAccount, 'a\0'],
  ])('TAG-129, TAG-180: in %j refuses the type %s', async (scope, type) => {
    expect(await refusal({ ...worker({}), resource_type: type }, scope)).toEqual([1006, 400, '/resource_type']);
  });

  it.each([undefined, '', 7, 'x'.repeat(1025), '\0'])('TAG-179: refuses the parent %j', async (worker_id) => {
    const body = {
      resource_type: 'worker_version',
      resource_id: 'v',
      tags: {},
      ...(worker_id !== undefined && { worker_id }),
    };
    expect(await refusal(body)).toEqual([1002, 400, '/worker_id']);
  });
});

describe('a set of a resource with a directory', () => {
  it('TAG-029, TAG-054, TAG-055: uses the name of the directory; an unknown resource is 404 in every mode', async () => {
    const known = new Map([['t', { name: 'Thing' }]]);
    const registry = withDirectory({ find: async ({ id }) => known.get(id) });
    for (const tags_not_found of ['500', '404', 'empty'] as const) {
      const tagging = testTagging({ registry, settings: { tags_not_found } });
      expect((await tagging.set(inAccount, thing({}), null)).name).toBe('Thing');
      await expect(tagging.set(inAccount, { ...thing({}), resource_id: 'ü' }, null)).rejects.toMatchObject({
        code: 10200,
        status: 404,
        message: 'resource not found: type=thing id=ü',
      });
    }
  });

  it('TAG-127: fails and leaves no record if the resource is deleted meanwhile', async () => {
    const stores = simpleTagStores();
    let exists = true;
    const registry = withDirectory({ find: async () => (exists ? {} : undefined) });
    const racing = withSet(stores, () => {
      exists = false;
    });
    await expect(
      testTagging({ registry, stores: racing }).set(inAccount, thing({ a: '1' }), null),
    ).rejects.toMatchObject({ code: 10200, status: 404 });
    expect(stores.records('a1')).toEqual([]);
  });

  it('TAG-127: keeps the record that another caller wrote afterwards', async () => {
    const stores = simpleTagStores();
    let asked = 0;
    const registry = withDirectory({
      async find() {
        asked += 1;
        if (asked !== 2) return {};
        // The resource was deleted, created again and tagged during this set.
        await testTagging({ stores, registry: withDirectory({ find: async () => ({}) }) }).set(
          inAccount,
          thing({ a: '2' }),
          null,
        );
        return undefined;
      },
    });
    await expect(testTagging({ registry, stores }).set(inAccount, thing({ a: '1' }), null)).rejects.toThrow();
    expect(stores.records('a1')).toMatchObject([{ tags: { a: '2' } }]);
  });

  it('TAG-069: lists a resource that is renamed meanwhile under its new name', async () => {
    const stores = simpleTagStores();
    let name = 'old';
    const registry = withDirectory({ find: async () => ({ name }) });
    const racing = withSet(stores, () => {
      name = 'new';
    });
    const tagging = testTagging({ registry, stores: racing });
    expect((await tagging.set(inAccount, thing({ a: '1' }), null)).name).toBe('new');
    expect(stores.records('a1')).toMatchObject([{ name: 'new' }]);
  });

  it('TAG-069: replaces an unpaired surrogate in a name', async () => {
    const registry = withDirectory({ find: async () => ({ name: 'a\ud800' }) });
    expect((await testTagging({ registry }).set(inAccount, thing({}), null)).name).toBe('a\ufffd');
  });
});

/** Stores that call `happens` right before each set. */
function withSet(stores: ReturnType<typeof simpleTagStores>, happens: () => void): ReturnType<typeof simpleTagStores> {
  const racing = (account: string) => {
    const store = stores(account);
    return {
      ...store,
      set: (change: Parameters<typeof store.set>[0]) => {
        happens();
        return store.set(change);
      },
    };
  };
  return Object.assign(racing, { records: stores.records });
}
