import { describe, expect, it } from 'vitest';
import { collectGarbage } from './collect-garbage.ts';

const mebi = 1_048_576;

describe('LIM-080: garbage of request bodies', () => {
  it.each([
    [300 * mebi, 31, 0],
    [300 * mebi, 32, 1],
    [300 * mebi, 100, 3],
    [200 * mebi, 100, 0],
  ])('with %i bytes resident of 512 MiB, and %i MiB received, is collected %i times', (resident, received, times) => {
    let collections = 0;
    const take = collectGarbage(512 * mebi, { collect: () => collections++, residentBytes: () => resident });
    for (let i = 0; i < received; i++) take(mebi);
    expect(collections).toBe(times);
  });
});
