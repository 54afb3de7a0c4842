import { describe, expect, it } from 'vitest';
import { defaultResourceTypes } from '../registry/default-resource-types.ts';
import { createRegistry } from '../registry/registry.ts';
import { simpleTagStores } from '../contract/simple-tag-stores.ts';
import { inAccount, inZone, testTagging } from '../service/tagging.test.util.ts';

const emptyEtag = 'v1:RBNvo1WzZ4oRRq0W9-hkng';
const known = new Map([['t', 'Thing']]);
const directory = {
  find: async ({ id }: { readonly id: string }) => (known.has(id) ? { name: known.get(id) ?? '' } : undefined),
};
const registry = createRegistry(defaultResourceTypes, [
  {
    name: 'resourceTypes',
    changes: {
      add: [
        { type: 'thing', level: 'account', directory },
        { type: 'zone_thing', level: 'zone', directory },
      ],
    },
  },
]);
const modes = ['500', '404', 'empty'] as const;
const taggingIn = (tags_not_found: (typeof modes)[number], stores = simpleTagStores()) =>
  testTagging({ registry, stores, settings: { tags_not_found } });
const queryOf = (type: string, id: string): string => `?resource_type=${type}&resource_id=${encodeURIComponent(id)}`;
const notFound = (status: number, type: string, id: string) => ({
  code: 10200,
  status,
  message: `resource not found: type=${type} id=${id}`,
  pointer: undefined,
});

describe('a read', () => {
  it.each(modes)('TAG-001: shows an existing record in mode %s', async (mode) => {
    const tagging = taggingIn(mode);
    await tagging.set(inAccount, { resource_type: 'thing', resource_id: 't', tags: { a: '1' } }, null);
    expect(await tagging.get(inAccount, queryOf('thing', 't'))).toEqual({
      id: 't',
      type: 'thing',
      name: 'Thing',
      tags: { a: '1' },
      etag: expect.stringMatching(/^v1:.{22}$/),
      tags_updated_at: '1970-01-01T00:00:01.000Z',
    });
  });

  it('TAG-051: shows a record without tags, too', async () => {
    const tagging = taggingIn('500');
    await tagging.set(inAccount, { resource_type: 'worker', resource_id: 'w', tags: {} }, null);
    expect(await tagging.get(inAccount, queryOf('worker', 'w'))).toMatchObject({ tags: {}, etag: emptyEtag });
  });

  it.each([
    ['TAG-055', '500', 500],
    ['TAG-056', '404', 404],
  ] as const)('%s, TAG-060: without a record or a resource, mode %s answers %s', async (_, mode, status) => {
    const tagging = taggingIn(mode);
    const long = `{id} ${'x'.repeat(1000)}ü`;
    for (const id of ['t', long]) {
      await expect(tagging.get(inAccount, queryOf('thing', id))).rejects.toMatchObject(notFound(status, 'thing', id));
      await expect(tagging.get(inZone, queryOf('zone_thing', id))).rejects.toMatchObject(
        notFound(status, 'zone_thing', id),
      );
    }
    await expect(tagging.get(inAccount, queryOf('worker', 'w'))).rejects.toMatchObject(notFound(status, 'worker', 'w'));
  });

  it('TAG-057: mode empty shows any account resource without tags', async () => {
    const tagging = taggingIn('empty');
    const empty = { tags: {}, etag: emptyEtag };
    expect(await tagging.get(inAccount, queryOf('thing', 't'))).toEqual({
      id: 't',
      type: 'thing',
      name: 'Thing',
      ...empty,
    });
    expect(await tagging.get(inAccount, queryOf('thing', 'x'))).toEqual({
      id: 'x',
      type: 'thing',
      name: 'x',
      ...empty,
    });
    expect(await tagging.get(inAccount, queryOf('worker', 'w'))).toMatchObject(empty);
  });

  it('TAG-058, TAG-059: mode empty shows a zone resource, unless a directory says that it does not exist', async () => {
    const tagging = taggingIn('empty');
    expect(await tagging.get(inZone, queryOf('zone_thing', 't'))).toEqual({
      id: 't',
      type: 'zone_thing',
      name: 'Thing',
      tags: {},
      etag: emptyEtag,
      zone_id: 'z1',
    });
    expect(await tagging.get(inZone, queryOf('dns_record', 'd'))).toMatchObject({ tags: {}, zone_id: 'z1' });
    await expect(tagging.get(inZone, queryOf('zone_thing', 'x'))).rejects.toMatchObject(
      notFound(404, 'zone_thing', 'x'),
    );
  });

  it('TAG-055, TAG-057: hides the record of a resource that the directory no longer has', async () => {
    const stores = simpleTagStores();
    known.set('gone', 'Gone');
    const body = { resource_type: 'thing', resource_id: 'gone', tags: { a: '1' } };
    await taggingIn('500', stores).set(inAccount, body, null);
    known.delete('gone');
    await expect(taggingIn('500', stores).get(inAccount, queryOf('thing', 'gone'))).rejects.toMatchObject({
      status: 500,
    });
    const empty = await taggingIn('empty', stores).get(inAccount, queryOf('thing', 'gone'));
    expect(empty).toEqual({ id: 'gone', type: 'thing', name: 'gone', tags: {}, etag: emptyEtag });
  });

  it('REPO-044: an error of a directory stays unexpected, so that replies do not reveal it', async () => {
    const broken = { find: () => Promise.reject(new Error('secret')) };
    const tagging = testTagging({ sharedDirectory: broken });
    await expect(tagging.get(inAccount, queryOf('worker', 'w'))).rejects.toThrow(new Error('secret'));
  });
});

describe('a delete', () => {
  const body = { resource_type: 'thing', resource_id: 't' };

  it('TAG-003, TAG-062: removes the record', async () => {
    const tagging = taggingIn('404');
    await tagging.set(inAccount, { ...body, tags: { a: '1' } }, null);
    await expect(tagging.delete(inAccount, { ...body, tags: 7 }, null)).resolves.toBeUndefined();
    await expect(tagging.get(inAccount, queryOf('thing', 't'))).rejects.toMatchObject({ code: 10200 });
  });

  it('TAG-063: accepts a missing record', async () => {
    await taggingIn('500').delete(inAccount, body, null);
    await taggingIn('500').delete(inAccount, { ...body, resource_id: 'unknown' }, null);
    await taggingIn('500').delete(inZone, { resource_type: 'zone_thing', resource_id: 'unknown' }, null);
  });

  it('TAG-046, TAG-047, TAG-150: does nothing if If-Match does not match', async () => {
    const tagging = taggingIn('500');
    await expect(tagging.delete(inAccount, body, '*')).rejects.toMatchObject({ code: 10412, status: 412 });
    await tagging.delete(inAccount, body, emptyEtag);
    await tagging.set(inAccount, { ...body, tags: { a: '1' } }, null);
    await expect(tagging.delete(inAccount, body, emptyEtag)).rejects.toMatchObject({ code: 10412 });
    expect(await tagging.get(inAccount, queryOf('thing', 't'))).toMatchObject({ tags: { a: '1' } });
  });

  it('TAG-064, TAG-148, TAG-164, TAG-177, TAG-179: requires a body that identifies a resource', async () => {
    const refusal = async (given: unknown, scope = inAccount): Promise<unknown> => {
      try {
        return await taggingIn('500').delete(scope, given, 'no match');
      } catch (error) {
        const { code, pointer } = error as Record<string, unknown>;
        return [code, pointer];
      }
    };
    for (const given of [undefined, null, [], '', 1]) expect(await refusal(given)).toEqual([1015, undefined]);
    expect(await refusal({ resource_id: 7 })).toEqual([1015, '/resource_type']);
    expect(await refusal({ resource_type: 'nonsense', resource_id: '' })).toEqual([1015, '/resource_id']);
    expect(await refusal({ resource_type: 'nonsense', resource_id: 'a' })).toEqual([1006, '/resource_type']);
    expect(await refusal(body, inZone)).toEqual([1006, '/resource_type']);
    expect(await refusal({ resource_type: 'worker_version', resource_id: 'a' })).toEqual([1015, '/worker_id']);
    expect(await refusal(body)).toEqual([10412, undefined]);
  });
});
