import { describe, expect, it } from 'vitest';
import { testBucketFaults } from '../contract/bucket-faults.ts';
import { memoryPackReservations } from '../packs/reservations.ts';
import { StrictBucket, strictSizedStream } from '../testing/strict-bucket.ts';
import { memoryPackHolders } from '../packs/holders.ts';
import { bucketPackStore } from './pack-store.ts';

const ports = () => ({
  account: 'account',
  repoId: 'repo',
  reservations: memoryPackReservations(),
  holders: memoryPackHolders(),
});

testBucketFaults('the strict fake', async () => ({
  bucket: new StrictBucket(),
  ...ports(),
  openStream: strictSizedStream,
}));

describe('bucketPackStore', () => {
  it.each(['', 'a/b', '../a', 'a.b', 'a'.repeat(101)])('rejects a key as an account: %j', (account) => {
    expect(() => bucketPackStore({ bucket: new StrictBucket(), ...ports(), account })).toThrow(RangeError);
  });

  it('names its objects by account and pack', async () => {
    const bucket = new StrictBucket();
    const store = bucketPackStore({ bucket, ...ports() });
    const id = await store.reserve();
    for (const file of ['pack', 'graph', 'idx'] as const) await store.put(id, file, [Uint8Array.of(1)]);
    expect(bucket.keys).toEqual(['pack', 'graph', 'idx'].map((file) => `account/${id}.${file}`));
    await store.remove(id);
    expect(bucket.keys).toEqual([]);
  });
});
