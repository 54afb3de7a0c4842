import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { MemoryStore } from './memory-store.test.util.ts';
import { PageCache } from './page-cache.ts';

const bytes = new Uint8Array(1000).map((_, i) => (i * 7 + (i >> 3)) & 255);

async function stored(store: MemoryStore): Promise<Awaited<ReturnType<MemoryStore['reserve']>>> {
  const id = await store.reserve();
  await store.put(id, 'pack', [bytes]);
  return id;
}

const range = fc.tuple(fc.nat(999), fc.integer({ min: 1, max: 1000 })).map(([offset, length]) => ({
  offset,
  length: Math.min(length, 1000 - offset),
}));

test.prop([fc.array(range, { maxLength: 30 }), fc.integer({ min: 1, max: 300 }), fc.nat(1000)])(
  'answers any range with its bytes, and stays within its budget',
  async (ranges, pageSize, budget) => {
    const store = new MemoryStore(1000);
    const pages = new PageCache(budget, pageSize);
    const source = pages.source(store, await stored(store), bytes.length);
    for (const { offset, length } of ranges) {
      const expected = bytes.subarray(offset, offset + length);
      const peeked = source.peek(offset, length);
      if (peeked !== undefined) expect(peeked).toEqual(expected);
      expect(new Uint8Array(await source.load(offset, length))).toEqual(expected);
      expect(pages.memory).toBeLessThanOrEqual(Math.max(budget, pageSize));
    }
  },
);

it('reads a page once, also for those who ask at the same time', async () => {
  const store = new MemoryStore(1000);
  const id = await stored(store);
  const pages = new PageCache(1000, 100);
  const [one, two] = [pages.source(store, id, 1000), pages.source(store, id, 1000)];
  await Promise.all([one.load(10, 20), two.load(50, 30), one.load(90, 20)]);
  expect(store.reads).toBe(2);
  expect(one.peek(150, 50)).toEqual(bytes.subarray(150, 200));
  expect(one.peek(150, 51)).toBeUndefined();
  expect(store.reads).toBe(2);
});

it('reads large ranges on their own, so that they drive nothing out', async () => {
  const store = new MemoryStore(1000);
  const pages = new PageCache(300, 100);
  const source = pages.source(store, await stored(store), 1000);
  await source.load(0, 10);
  await source.load(0, 900);
  expect(store.bytesRead).toBe(1000);
  expect(source.peek(0, 10)).toBeDefined();
});

it('drops the page that was not used for longest', async () => {
  const store = new MemoryStore(1000);
  const pages = new PageCache(200, 100);
  const source = pages.source(store, await stored(store), 1000);
  await source.load(0, 10);
  await source.load(100, 10);
  source.peek(0, 10);
  await source.load(200, 10);
  expect(source.peek(0, 10)).toBeDefined();
  expect(source.peek(100, 10)).toBeUndefined();
});

it('hands on what the store throws, and tries again', async () => {
  const store = new MemoryStore(1000);
  const id = await stored(store);
  const pages = new PageCache(200, 100);
  const source = pages.source(store, id, 1000);
  store.files.clear();
  await expect(source.load(0, 10)).rejects.toThrow('absent');
  await store.put(id, 'pack', [bytes]);
  expect(await source.load(0, 10)).toEqual(bytes.subarray(0, 10));
});
