import { describe, expect, it } from 'vitest';
import { testR2Faults } from '../contract/r2-faults.ts';
import { memoryPackReservations } from '../packs/reservations.ts';
import { StrictBucket, strictSizedStream } from '../packs/strict-bucket.ts';
import { r2PackStore } from './pack-store.ts';

testR2Faults('the strict fake', async () => ({
  bucket: new StrictBucket(),
  repoId: 'repo',
  reservations: memoryPackReservations(),
  openStream: strictSizedStream,
}));

describe('r2PackStore', () => {
  it.each(['', 'a/b', '../a', 'a.b', 'a'.repeat(101)])('takes no key for a repo id: %j', (repoId) => {
    expect(() => r2PackStore({ bucket: new StrictBucket(), repoId, reservations: memoryPackReservations() })).toThrow(
      RangeError,
    );
  });

  it('names its objects by repository and pack', async () => {
    const bucket = new StrictBucket();
    const store = r2PackStore({ bucket, repoId: 'k3v9p0x2m7q4w8zt', reservations: memoryPackReservations() });
    const id = await store.reserve();
    for (const file of ['pack', 'graph', 'idx'] as const) await store.put(id, file, [Uint8Array.of(1)]);
    expect(bucket.keys).toEqual(['pack', 'graph', 'idx'].map((file) => `k3v9p0x2m7q4w8zt/${id}.${file}`));
    await store.remove(id);
    expect(bucket.keys).toEqual([]);
  });
});
