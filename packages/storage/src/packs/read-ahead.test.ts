import { describe, expect, it } from 'vitest';
import { ChunkPool, readAhead } from './read-ahead.ts';

/** A pool that counts its lent buffers. */
class CountingPool extends ChunkPool {
  out = 0;

  override take(size: number): Uint8Array {
    this.out += 1;
    return super.take(size);
  }

  override give(buffer: Uint8Array): void {
    this.out -= 1;
    super.give(buffer);
  }
}

describe('readAhead', () => {
  it('fills only the next chunk while the last one is used', async () => {
    const begun: number[] = [];
    const chunks = readAhead(4, new ChunkPool(), async (index, buffer) => {
      begun.push(index);
      return buffer.subarray(0, 1).fill(index);
    });
    for (const expected of [0, 1, 2, 3]) {
      const { value } = await chunks.next();
      expect(value?.[0]).toBe(expected);
      expect(begun).toEqual(Array.from({ length: Math.min(expected + 2, 4) }, (_, i) => i));
    }
    expect((await chunks.next()).done).toBe(true);
  });

  it('does not return a buffer while a read still writes into it', async () => {
    const pool = new CountingPool();
    const late = Promise.withResolvers<Uint8Array>();
    const chunks = readAhead(2, pool, (index, buffer) => (index === 0 ? Promise.resolve(buffer) : late.promise));
    await chunks.next();
    const ending = chunks.return();
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(pool.out).toBe(2);
    late.reject(new Error('nobody waits for this'));
    await ending;
    expect(pool.out).toBe(0);
  });

  it('passes on a failure at its chunk, and returns the buffers', async () => {
    const pool = new CountingPool();
    const chunks = readAhead(3, pool, async (index, buffer) => {
      if (index === 1) throw new Error('no more');
      return buffer;
    });
    await chunks.next();
    await expect(chunks.next()).rejects.toThrow('no more');
    expect(pool.out).toBe(0);
  });
});
