import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { NotEnoughMemoryError } from '../../work/memory-error.ts';
import { MemoryPlan } from './memory-plan.ts';

const mebibyte = 1024 * 1024;
const partSize = 8 * mebibyte;
const most = 56 * mebibyte;

const totalOf = (plan: MemoryPlan): number => plan.total as number;

describe('GIT-190: the plan of a push', () => {
  test.prop([fc.nat(130_000), fc.integer({ min: 1_500_001, max: 95_000_000 }), fc.nat(most)])(
    'takes no more than the room that is left, unless the least is more',
    (objects, length, room) => {
      const plan = new MemoryPlan(most, room, partSize, objects, length);
      const least = totalOf(new MemoryPlan(most, 0, partSize, objects, length));
      expect(totalOf(plan)).toBeLessThanOrEqual(Math.max(room, least));
      expect(totalOf(plan)).toBeGreaterThanOrEqual(least);
      expect([1, 2, 3]).toContain(plan.parts);
    },
  );

  it('is the usual one with enough room, and needs 12 MiB for a push of 5 MiB without', () => {
    const usual = new MemoryPlan(most, Infinity, partSize, 10_000, 5 * mebibyte);
    expect([usual.parts, usual.stack, usual.kept]).toEqual([3, 16 * mebibyte, 12 * mebibyte]);
    const least = new MemoryPlan(most, 0, partSize, 10_000, 5 * mebibyte);
    expect([least.parts, least.stack, least.kept]).toEqual([1, 4 * mebibyte, 0]);
    expect(Math.round(totalOf(least) / mebibyte)).toBe(12);
  });

  it('LIM-059: is refused if the tables alone take more than a request may have', () => {
    expect(() => new MemoryPlan(most, Infinity, partSize, 1_000_000, 9e7)).toThrow(NotEnoughMemoryError);
  });

  test.prop([fc.integer({ min: 1, max: 4_000_000 }), fc.integer({ min: 1, max: 200 * mebibyte })])(
    'LIM-059: a refusal names the least limit that the tables allow',
    (objects, limit) => {
      const planned = (within: number): MemoryPlan => new MemoryPlan(within, Infinity, partSize, objects, 9e7);
      let needed = 0;
      try {
        planned(limit);
      } catch (error) {
        needed = (error as NotEnoughMemoryError).refusal.needed;
        expect(needed).toBeGreaterThan(limit);
      }
      if (needed === 0) return;
      expect(() => planned(needed)).not.toThrow();
      expect(() => planned(needed - 1)).toThrow(NotEnoughMemoryError);
    },
  );
});
