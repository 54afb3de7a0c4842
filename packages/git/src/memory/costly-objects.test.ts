import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { isCostly, markCostly } from './costly-objects.ts';
import { readingMemory, usualReading } from './reading-memory.ts';

const mebibyte = 1024 * 1024;

/** Runs all steps, and returns their costs. */
function costsOf(pack: Parameters<typeof markCostly>[0]): number[] {
  return [...markCostly(pack)];
}

const packs = fc
  .array(fc.tuple(fc.constantFrom(10, 500_000, mebibyte, 3 * mebibyte), fc.integer({ min: -1, max: 12 })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((objects) => ({
    sizes: objects.map(([size]) => size),
    bases: objects.map(([, base], i) => (base < i ? base : -1)),
    offsets: [...objects, 0].map((_, i) => i * 1000),
  }));

test.prop([packs])('what is not costly can be read and written whole in the usual memory', (pack) => {
  costsOf(pack);
  pack.sizes.forEach((size, object) => {
    const needed = readingMemory(pack, object) + size + 64 * 1024;
    if (!isCostly(pack, object)) expect(needed).toBeLessThanOrEqual(usualReading);
    else expect(Math.max(size, needed)).toBeGreaterThan(mebibyte);
  });
});

it('marks what is made of a costly object, before and behind it, and passes over each object once', () => {
  const count = 200_000;
  const sizes = new Uint32Array(count).fill(100);
  sizes[count / 2] = 8 * mebibyte;
  const bases = Int32Array.from({ length: count }, (_, i) => (i === count / 2 ? -1 : i < count / 2 ? i + 1 : i - 1));
  const pack = { sizes, bases, offsets: new Uint32Array(count + 1) };
  expect(costsOf(pack)).toHaveLength(Math.ceil(count / 65_536));
  expect([0, count / 2, count - 1].map((object) => isCostly(pack, object))).toEqual([true, true, true]);
  expect(costsOf(pack)).toEqual([]);
});

it('a circle of bases ends', () => {
  const pack = { sizes: [100, 100, 100], bases: [1, 2, 0], offsets: [0, 1, 2, 3] };
  costsOf(pack);
  expect([0, 1, 2].map((object) => isCostly(pack, object))).toEqual([false, false, false]);
});
