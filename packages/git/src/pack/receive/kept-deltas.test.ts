import { expect, it } from 'vitest';
import { BufferPool, slabSize } from '../buffer-pool.ts';
import { KeptDeltas } from './kept-deltas.ts';

const mebibyte = 1024 * 1024;

/** Keeps deltas until no more fit. Returns the sum of their bytes, and of the slabs that they took. */
function filled(budget: number): { kept: number; slabs: number } {
  const pool = new BufferPool(Infinity);
  const deltas = new KeptDeltas(budget, pool);
  const places: number[] = [];
  for (let place = deltas.place(40_000); place >= 0; place = deltas.place(40_000)) {
    deltas.block(place).fill(places.length, deltas.at(place), deltas.at(place) + 40_000);
    places.push(place);
  }
  for (const [i, place] of places.entries()) {
    const bytes = deltas.bytes(place);
    expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([40_000, i % 256, i % 256]);
  }
  deltas.release();
  return { kept: 40_000 * places.length, slabs: pool.idleBytes };
}

it.each([
  [0, 0],
  [1.5 * mebibyte, 0],
  [5 * mebibyte, 0],
  [slabSize, slabSize],
  [12 * mebibyte, slabSize],
  [2 * slabSize, 2 * slabSize],
])('LIM-059: takes no slab that its budget of %d bytes does not fill', (budget, slabs) => {
  const { kept, slabs: taken } = filled(budget);
  expect(taken).toBe(slabs);
  expect(kept).toBeLessThanOrEqual(budget);
  expect(kept).toBeGreaterThanOrEqual(0.95 * Math.floor(budget / mebibyte) * mebibyte);
});
