import { describe, expect, it } from 'vitest';
import { collected, testPackStore } from '@packhouse/git/contract';
import { BucketError, StrictBucket, strictSizedStream } from './strict-bucket.ts';
import { strictFakePackStore } from './strict-fake.ts';

testPackStore(
  "the store of Workers over a strict fake with R2's rules",
  () => {
    const [store, other] = [strictFakePackStore(), strictFakePackStore()];
    return { open: () => store, openOther: () => other, close: () => undefined };
  },
  { refusesSecondPut: true, removesUnfinished: false },
);

describe('StrictBucket', () => {
  const upload = async (parts: readonly (readonly [number, number])[]) => {
    const bucket = new StrictBucket({ partMin: 10, partsMax: 4 });
    const multipart = await bucket.createMultipartUpload('k');
    const stored = [];
    for (const [number, size] of parts)
      stored.push(await multipart.uploadPart(number, new Uint8Array(size).fill(number)));
    await multipart.complete(stored.toSorted((a, b) => a.partNumber - b.partNumber));
    return (await bucket.head('k'))?.size;
  };

  it('joins equal parts, of which the last may be smaller, in the order of their numbers', async () => {
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

  const bytes = async (bucket: StrictBucket, offset: number, length: number) =>
    collected((await bucket.get('k', { range: { offset, length } }))?.body ?? new ReadableStream());

  it('completes with the given parts, in their order', async () => {
    const multipart = await new StrictBucket({ partMin: 1 }).createMultipartUpload('k');
    const one = await multipart.uploadPart(1, Uint8Array.of(1));
    const two = await multipart.uploadPart(2, Uint8Array.of(2));
    await expect(multipart.complete([two, one])).rejects.toThrow('order');
    await expect(multipart.complete([one, { ...two, partNumber: 3 }])).rejects.toThrow('10025');
    await expect(multipart.complete([one, two])).resolves.toEqual({ size: 2 });
  });

  it('never reuses a key, and requires the length in advance', async () => {
    const bucket = new StrictBucket();
    await expect(bucket.put('k', new Blob(['a']).stream())).rejects.toThrow('not known');
    await expect(bucket.put('k', Uint8Array.of(1))).resolves.toEqual({ size: 1 });
    await expect(bucket.put('k', Uint8Array.of(1))).rejects.toThrow(BucketError);
    await expect(
      bucket.put('k', Uint8Array.of(1), { onlyIf: new Headers({ 'if-none-match': '*' }) }),
    ).resolves.toBeNull();
    await bucket.delete(['k']);
    await expect(bucket.put('k', Uint8Array.of(1))).rejects.toThrow(BucketError);
  });

  it.each([
    [1, 'lacks'],
    [3, 'more than'],
  ])('refuses %d bytes for two', async (size, message) => {
    const { readable, writable } = strictSizedStream(2);
    const writer = writable.getWriter();
    const writing = writer.write(new Uint8Array(size)).then(() => writer.close());
    const [put, write] = await Promise.allSettled([new StrictBucket().put('k', readable), writing]);
    expect([put, write]).toMatchObject([
      { status: 'rejected', reason: { message: expect.stringContaining(message) } },
      { status: 'rejected' },
    ]);
  });

  it('completes once, and shows nothing before that', async () => {
    const bucket = new StrictBucket({ partMin: 1 });
    const multipart = await bucket.createMultipartUpload('k');
    const part = await multipart.uploadPart(1, Uint8Array.of(1, 2));
    expect(await bucket.get('k')).toBeNull();
    await multipart.complete([part]);
    await expect(multipart.complete([part])).rejects.toThrow('10024');
    await expect(multipart.abort()).rejects.toThrow('10024');
    expect(await bytes(bucket, 1, 5)).toEqual(Uint8Array.of(2));
    await expect(bytes(bucket, 2, 1)).rejects.toThrow('10039');
  });
});
