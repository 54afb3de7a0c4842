import { describe, expect, it } from 'vitest';
import { testPackStore } from '../contract/pack-store.ts';
import { BucketError, StrictBucket } from './strict-bucket.ts';
import { strictFakePackStore } from './strict-fake.ts';

testPackStore(
  "the strict fake with R2's rules",
  () => {
    const [store, other] = [strictFakePackStore(), strictFakePackStore()];
    return { open: () => store, openOther: () => other, close: () => undefined };
  },
  { refusesSecondPut: true, removesUnfinished: false },
);

describe('StrictBucket', () => {
  const upload = async (parts: readonly (readonly [number, number])[]) => {
    const bucket = new StrictBucket({ partMin: 10, partsMax: 4 });
    const multipart = await bucket.begin('k');
    for (const [number, size] of parts) await bucket.uploadPart(multipart, number, new Uint8Array(size).fill(number));
    await bucket.complete(multipart);
    return bucket.head('k');
  };

  it('joins equal parts, the last one smaller, in the order of their numbers', async () => {
    expect(
      await upload([
        [2, 12],
        [1, 12],
        [4, 3],
      ]),
    ).toBe(27);
  });

  it.each([
    [
      'parts that differ',
      [
        [1, 12],
        [2, 13],
        [3, 12],
      ],
      '10048',
    ],
    [
      'a last part that is larger',
      [
        [1, 12],
        [2, 13],
      ],
      '10048',
    ],
    [
      'parts that are too small',
      [
        [1, 9],
        [2, 9],
      ],
      '10011',
    ],
    ['a number out of range', [[5, 12]], 'out of range'],
    ['an upload without parts', [], 'no parts'],
  ] as const)('refuses %s', async (_, parts, message) => {
    await expect(upload(parts)).rejects.toThrow(message);
  });

  it('uses no key twice, and wants the length beforehand', async () => {
    const bucket = new StrictBucket();
    await expect(bucket.put('k', 2, [Uint8Array.of(1)])).rejects.toThrow(BucketError);
    await bucket.put('k', 1, [Uint8Array.of(1)]);
    await bucket.delete(['k']);
    await expect(bucket.put('k', 1, [Uint8Array.of(1)])).rejects.toThrow(BucketError);
  });

  it('completes once, and shows nothing before', async () => {
    const bucket = new StrictBucket({ partMin: 1 });
    const multipart = await bucket.begin('k');
    await bucket.uploadPart(multipart, 1, Uint8Array.of(1));
    expect(await bucket.get('k', 0, 1)).toBeNull();
    await bucket.complete(multipart);
    await expect(bucket.complete(multipart)).rejects.toThrow('10024');
    await expect(bucket.get('k', 0, 2)).rejects.toThrow(BucketError);
  });
});
