import { describe, expect, it } from 'vitest';
import { simpleTagStores } from '../contract/simple-tag-stores.ts';
import { inAccount, inZone, testTagging } from '../service/tagging.test.util.ts';

const directory = { find: async () => ({ name: 'old' }) };

describe('notices of the host', () => {
  it('TAG-069: lists show the new name', async () => {
    const stores = simpleTagStores();
    const tagging = testTagging({ stores, sharedDirectory: directory });
    const version = { resource_type: 'worker_version', resource_id: 'v', worker_id: 'w', tags: { a: '1' } };
    await tagging.set(inAccount, version, null);
    await tagging.resourceRenamed('a1', { type: 'worker_version', id: 'v', parent: 'w' }, 'new\ud800');
    expect((await tagging.resources('a1', '?name=new')).items).toMatchObject([{ id: 'v', name: 'new\ufffd' }]);
    await tagging.resourceRenamed('a1', { type: 'worker', id: 'without a record' }, 'new');
    expect(stores.records('a1')).toHaveLength(1);
  });

  it('TAG-029: a type without a directory has no names', async () => {
    await expect(testTagging().resourceRenamed('a1', { type: 'worker', id: 'w' }, 'new')).rejects.toThrow(
      'a resource of the type "worker" has no name: the type has no directory',
    );
  });

  it('TAG-127: a deletion removes the record and is idempotent', async () => {
    const stores = simpleTagStores();
    const tagging = testTagging({ stores });
    await tagging.set(inZone, { resource_type: 'dns_record', resource_id: 'd', tags: { a: '1' } }, null);
    const resource = { type: 'dns_record', id: 'd', zone: 'z1' };
    await tagging.resourceDeleted('a1', { ...resource, zone: 'z2' });
    expect(stores.records('a1')).toHaveLength(1);
    for (let round = 0; round < 2; round++) await tagging.resourceDeleted('a1', resource);
    expect(stores.records('a1')).toEqual([]);
  });

  it.each([
    [{ type: 'nonsense', id: 'a' }, '"nonsense" is no resource type'],
    [{ type: '__proto__', id: 'a' }, '"__proto__" is no resource type'],
    [{ type: 'worker', id: '' }, 'a resource of the type "worker" needs a text of 1 to 1024 characters as its id'],
    [{ type: 'worker', id: 'a', zone: 'z1' }, 'a resource of the type "worker" has no zone'],
    [{ type: 'worker', id: 'a', parent: 'b' }, 'a resource of the type "worker" has no parent'],
    [
      { type: 'dns_record', id: 'a' },
      'a resource of the type "dns_record" needs a text of 1 to 1024 characters as its zone',
    ],
    [
      { type: 'worker_version', id: 'a' },
      'a resource of the type "worker_version" needs a text of 1 to 1024 characters as its parent',
    ],
  ])('refuses %j with a RangeError', async (resource, message) => {
    const tagging = testTagging({ sharedDirectory: directory });
    await expect(tagging.resourceDeleted('a1', resource)).rejects.toThrow(new RangeError(message));
    await expect(tagging.resourceRenamed('a1', resource, 'new')).rejects.toThrow(new RangeError(message));
  });
});
