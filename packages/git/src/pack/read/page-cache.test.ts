import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { MemoryStore } from '../memory-store.test.util.ts';
import type { PackSource } from './pack-source.ts';
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

/** Reads like a caller of a source. */
async function bytesOf(source: PackSource, offset: number, length: number): Promise<Uint8Array> {
  for (;;) {
    const bytes = source.peek(offset, length) ?? (await source.load(offset, length)) ?? source.peek(offset, length);
    if (bytes !== undefined) return bytes;
  }
}

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
      expect(new Uint8Array(await bytesOf(source, offset, length))).toEqual(expected);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(pages.memory).toBeLessThanOrEqual(Math.max(budget, pageSize));
  },
);

test.prop([
  fc.array(fc.array(range, { maxLength: 12 }), { minLength: 1, maxLength: 6 }),
  fc.integer({ min: 10, max: 300 }),
  fc.nat(1000),
])('answers those who read at the same time, however small it is', async (readers, pageSize, budget) => {
  const store = new MemoryStore(1000);
  const id = await stored(store);
  const pages = new PageCache(budget, pageSize);
  await Promise.all(
    readers.map(async (ranges) => {
      const source = pages.source(store, id, bytes.length);
      for (const { offset, length } of ranges) {
        let found = source.peek(offset, length);
        while (found === undefined) found = (await source.load(offset, length)) ?? source.peek(offset, length);
        expect(new Uint8Array(found)).toEqual(bytes.subarray(offset, offset + length));
      }
    }),
  );
  await new Promise((resolve) => setImmediate(resolve));
  expect(pages.memory).toBeLessThanOrEqual(Math.max(budget, pageSize));
});

it('reads a page once, also where several parts of a request ask for it at the same time', async () => {
  const store = new MemoryStore(1000);
  const pages = new PageCache(1000, 100);
  const source = pages.source(store, await stored(store), 1000);
  await Promise.all([source.load(510, 20), source.load(550, 30), source.load(590, 20)]);
  expect(store.ranges).toEqual([
    [500, 600],
    [600, 900],
  ]);
  expect(source.peek(650, 50)).toEqual(bytes.subarray(650, 700));
  expect(source.peek(450, 10)).toBeUndefined();
});

it('reads on in one range where pages are asked for one after the other', async () => {
  const store = new MemoryStore(1000);
  const source = new PageCache(1000, 100).source(store, await stored(store), 1000);
  for (let offset = 0; offset < 1000; offset += 50) await bytesOf(source, offset, 50);
  expect(store.ranges).toEqual([
    [0, 300],
    [300, 600],
    [600, 900],
    [900, 1000],
  ]);
});

it('reads nothing ahead into a cache that it would drive out', async () => {
  const store = new MemoryStore(1000);
  const source = new PageCache(400, 100).source(store, await stored(store), 1000);
  await bytesOf(source, 0, 50);
  expect(store.ranges).toEqual([[0, 100]]);
});

it('uses its buffers again', async () => {
  const store = new MemoryStore(1000);
  const source = new PageCache(200, 100).source(store, await stored(store), 1000);
  const buffers = new Set<ArrayBufferLike>();
  for (let offset = 0; offset < 1000; offset += 50) buffers.add((await bytesOf(source, offset, 50)).buffer);
  expect(buffers.size).toBe(2);
});

it('reads large ranges on their own, so that they drive nothing out', async () => {
  const store = new MemoryStore(1000);
  const pages = new PageCache(300, 100);
  const source = pages.source(store, await stored(store), 1000);
  await source.load(0, 10);
  expect(await source.load(0, 900)).toEqual(bytes.subarray(0, 900));
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
  expect(await bytesOf(source, 0, 10)).toEqual(bytes.subarray(0, 10));
});

it('counts no buffer of a request that was ended while it read', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const pages = new PageCache(400, 100);
  for (let i = 0; i < 4; i++) pages.take();
  expect(pages.memory).toBe(400);
  for (let round = 0; round < 100 && pages.memory > 0; round++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(pages.memory).toBe(0);
});
