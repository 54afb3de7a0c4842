import { expect, it } from 'vitest';
import { BufferPool, slabSize } from './buffer-pool.ts';

it('reuses buffers for parts of any size', () => {
  const pool = new BufferPool(2 * slabSize);
  const one = pool.take();
  pool.give(one);
  const two = pool.take(slabSize - 5);
  expect([two.buffer === one.buffer, two.length]).toEqual([true, slabSize - 5]);
});

it('keeps no more than its limit, and only slabs', () => {
  const pool = new BufferPool(2 * slabSize);
  for (const buffer of [pool.take(), pool.take(), pool.take(), pool.take(1000)]) pool.give(buffer);
  expect(pool.idleBytes).toBe(2 * slabSize);
  pool.trim(slabSize + 1);
  expect(pool.idleBytes).toBe(slabSize);
  expect(pool.take(1000).buffer.byteLength).toBe(1000);
});
