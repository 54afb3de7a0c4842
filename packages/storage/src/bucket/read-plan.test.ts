import { fc, test } from '@fast-check/vitest';
import { StorageError } from '@packhouse/git';
import { describe, expect, it } from 'vitest';
import { framed, plain, storedOffset } from './layout.ts';
import { planReads } from './read-plan.ts';

describe('planReads', () => {
  const range = fc.record({
    offset: fc.oneof(fc.nat(1_000_000), fc.nat(60_000_000)),
    length: fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 9_000_000 })),
  });

  test.prop([fc.array(range, { maxLength: 30 }), fc.constantFrom(framed, plain)])(
    'covers every range by reads of at most 4 MiB that do not overlap and bridge at most 128 KiB',
    (ranges, layout) => {
      const reads = [...planReads(layout, ranges)];
      const wanted = ranges.map(({ offset, length }) => ({
        start: storedOffset(layout, offset),
        end: storedOffset(layout, offset + length - 1) + 1,
      }));
      reads.forEach((read, i) => {
        expect(read.length).toBeGreaterThan(0);
        expect(read.length).toBeLessThanOrEqual(4_194_304);
        const next = reads[i + 1];
        if (next !== undefined) expect(next.offset).toBeGreaterThanOrEqual(read.offset + read.length);
        const touched = wanted.flatMap(({ start, end }, number) =>
          start < read.offset + read.length && end > read.offset ? [number] : [],
        );
        expect(new Set(read.ranges)).toEqual(new Set(touched));
      });
      for (const [number, { start, end }] of wanted.entries()) {
        const own = reads.filter((read) => read.ranges.includes(number));
        expect(own[0]?.offset).toBeLessThanOrEqual(start);
        expect((own.at(-1)?.offset ?? 0) + (own.at(-1)?.length ?? 0)).toBeGreaterThanOrEqual(end);
        own.forEach((read, i) => i > 0 && expect(read.offset).toBe((own[i - 1]?.offset ?? 0) + 4_194_304));
      }
      // Bytes outside the ranges are in gaps between them.
      const sorted = wanted.toSorted((a, b) => a.start - b.start);
      let [covered, gaps] = [sorted[0]?.start ?? 0, 0];
      for (const { start, end } of sorted) {
        if (start > covered && start - covered <= 131_072) gaps += start - covered;
        covered = Math.max(covered, end);
      }
      const total = reads.reduce((sum, { length }) => sum + length, 0);
      expect(total).toBe(gaps + union(sorted));
    },
  );

  it('joins gaps up to exactly 128 KiB', () => {
    const plan = (gap: number) => [
      ...planReads(plain, [
        { offset: 10, length: 5 },
        { offset: 15 + gap, length: 1 },
      ]),
    ];
    expect(plan(131_072)).toEqual([{ offset: 10, length: 131_078, ranges: [0, 1] }]);
    expect(plan(131_073)).toHaveLength(2);
  });

  it.each([
    [-1, 1],
    [0, 0],
    [0.5, 1],
    [0, Number.NaN],
    [Number.MAX_SAFE_INTEGER, 1],
  ])('refuses %d, %d', (offset, length) => {
    expect(() => [...planReads(framed, [{ offset, length }])]).toThrow(StorageError);
  });
});

function union(sorted: readonly { readonly start: number; readonly end: number }[]): number {
  let [sum, covered] = [0, 0];
  for (const { start, end } of sorted) {
    sum += Math.max(0, end - Math.max(start, covered));
    covered = Math.max(covered, end);
  }
  return sum;
}
