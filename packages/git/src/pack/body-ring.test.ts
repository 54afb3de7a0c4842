import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { BodyRing } from './body-ring.ts';

const budget = 64 * 1024;

const filled = (ring: BodyRing, key: number, size: number): Uint8Array => {
  const body = ring.allocate(size).fill(key % 251);
  ring.add(key, 3, body);
  return body;
};

test.prop([
  fc.array(fc.tuple(fc.boolean(), fc.nat(300), fc.nat(9000)), { minLength: 1, maxLength: 600 }),
  fc.constantFrom(1, 4, 16),
])('never answers anything but what was put in', (steps, factor) => {
  const ring = new BodyRing(factor * budget);
  const sizes = new Map<number, number>();
  for (const [isRead, key, size] of steps) {
    if (!isRead) {
      filled(ring, key, size);
      if (size <= ring.bodyMax) sizes.set(key, size);
      continue;
    }
    const found = ring.get(key);
    if (found === undefined) continue;
    expect(found.kind).toBe(3);
    expect(found.body.length).toBe(sizes.get(key));
    expect(found.body.every((byte) => byte === key % 251)).toBe(true);
  }
});

it('keeps what is used, and drops what is not', () => {
  const ring = new BodyRing(budget);
  filled(ring, 1, 1000);
  filled(ring, 2, 1000);
  for (let key = 10; key < 200; key++) {
    filled(ring, key, 1000);
    expect(ring.get(1)?.body[0]).toBe(1);
  }
  expect(ring.get(2)).toBeUndefined();
});

it('leaves a view alone until half the ring has been written', () => {
  const ring = new BodyRing(budget);
  for (let key = 0; key < 100; key++) filled(ring, key, 1000);
  const view = ring.get(50)?.body as Uint8Array;
  const from = ring.written;
  for (let key = 1000; ring.written + 4000 < from + budget / 2; key++) filled(ring, key, 3999);
  expect(view.every((byte) => byte === 50)).toBe(true);
});

it('finds objects without a body, and keeps none that is too large', () => {
  const ring = new BodyRing(budget);
  filled(ring, 7, 0);
  expect(ring.get(7)).toEqual({ kind: 3, body: new Uint8Array(0) });
  filled(ring, 8, ring.bodyMax + 1);
  expect(ring.get(8)).toBeUndefined();
});

it('finds no object that was never put in, also after it has grown twice', () => {
  const ring = new BodyRing(16 * budget);
  // More objects than the first table has entries, and then large ones.
  for (let key = 1; key <= 600; key++) filled(ring, key, 100);
  for (let key = 1000; key < 1020; key++) filled(ring, key, 40_000);
  expect(ring.get(0)).toBeUndefined();
});
