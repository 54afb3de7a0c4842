import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { geometricRun, largestRuns, type MergeLimits } from './geometric-plan.ts';

interface Sized {
  readonly objects: number;
  readonly packSize: number;
  readonly borrowed: 'no' | 'whole' | 'part';
}

const noLimits = { bytes: Infinity, objects: Infinity };
const bytes = (max: number): MergeLimits => ({ bytes: max, objects: Infinity });

const somePacks = fc.array(
  fc.record({
    objects: fc.oneof(fc.nat(5), fc.nat(10_000)),
    packSize: fc.integer({ min: 32, max: 5_000 }),
    borrowed: fc.constant('no' as const),
  }),
  { maxLength: 30 },
);

function merged(packs: readonly Sized[], run: { from: number; to: number }): Sized[] {
  const parts = packs.slice(run.from, run.to);
  const sum = (of: (pack: Sized) => number): number => parts.reduce((total, pack) => total + of(pack), 0);
  const borrowed = 'no' as const;
  const one = { objects: sum(({ objects }) => objects), packSize: sum(({ packSize }) => packSize), borrowed };
  return [...packs.slice(0, run.from), one, ...packs.slice(run.to)];
}

function isGeometric(packs: readonly Sized[]): boolean {
  return packs.every(({ objects }, i) => {
    const newer = packs.slice(i + 1).reduce((sum, pack) => sum + pack.objects, 0);
    return i === packs.length - 1 || objects >= 2 * newer;
  });
}

describe('geometric merging', () => {
  test.prop([somePacks])('takes the shortest run at the new end that leaves what it must be, at once', (packs) => {
    const run = geometricRun(packs, noLimits);
    expect(run === undefined).toBe(isGeometric(packs));
    if (run === undefined) return;
    expect(run.to).toBe(packs.length);
    expect(isGeometric(merged(packs, run))).toBe(true);
    if (run.from + 2 < packs.length) expect(isGeometric(merged(packs, { ...run, from: run.from + 1 }))).toBe(false);
  });

  test.prop([somePacks, fc.integer({ min: 32, max: 20_000 })])(
    'makes no pack larger than it may be, and ends',
    (packs, max) => {
      let now: Sized[] = packs;
      for (let left = packs.length; ; left--) {
        expect(left).toBeGreaterThanOrEqual(0);
        const run = geometricRun(now, bytes(max));
        if (run === undefined) break;
        expect(run.to - run.from).toBeGreaterThan(1);
        const next = merged(now, run);
        expect((next[run.from] as Sized).packSize).toBeLessThanOrEqual(max);
        now = next;
      }
      // Every run that could be merged within the limit is geometric.
      for (let to = 2; to <= now.length; to++) {
        for (let from = 0; from < to - 1; from++) {
          const part = now.slice(from, to);
          if (part.reduce((sum, { packSize }) => sum + packSize, 0) <= max) expect(isGeometric(part)).toBe(true);
        }
      }
    },
  );

  it('keeps few packs, and copies an object seldom, over 10,000 pushes of one size', () => {
    let packs: Sized[] = [];
    let most = 0;
    let copied = 0;
    for (let push = 1; push <= 10_000; push++) {
      packs = [...packs, { objects: 3, packSize: 300, borrowed: 'no' }];
      const run = geometricRun(packs, noLimits);
      if (run !== undefined) {
        packs = merged(packs, run);
        copied += (packs[run.from] as Sized).objects;
      }
      most = Math.max(most, packs.length);
    }
    expect(most).toBeLessThanOrEqual(10);
    expect(copied / 30_000).toBeLessThan(25);
  });

  test.prop([somePacks, fc.integer({ min: 32, max: 20_000 })])(
    'cuts a manifest into the fewest runs from its new end',
    (packs, max) => {
      const runs = largestRuns(packs, bytes(max));
      expect(runs.map(({ to }) => to)).toEqual(
        [...runs.keys()].map((i) => (i === 0 ? packs.length : runs[i - 1]?.from)),
      );
      expect(runs.at(-1)?.from ?? 0).toBe(0);
      for (const { from, to } of runs) {
        const size = packs.slice(from, to).reduce((sum, { packSize }) => sum + packSize, 0);
        if (to - from > 1) expect(size).toBeLessThanOrEqual(max);
        if (from > 0) expect(size + (packs[from - 1] as Sized).packSize).toBeGreaterThan(max);
      }
    },
  );

  describe('REPO-124: borrowed packs', () => {
    const someBorrowed = somePacks.map((packs) => packs.map((pack) => ({ ...pack, borrowed: 'part' as const })));

    test.prop([someBorrowed, somePacks, fc.integer({ min: 32, max: 20_000 })])(
      'are taken in by packs with twice their objects alone, and never by a merge of everything',
      (borrowed, own, max) => {
        const packs = [...borrowed, ...own];
        const pushed = own.reduce((sum, { objects }) => sum + objects, 0);
        const run = geometricRun(packs, noLimits);
        const taken = borrowed[run?.from ?? packs.length];
        if (taken !== undefined) expect(taken.objects * 2).toBeLessThanOrEqual(pushed);
        if (run !== undefined) expect(run.to).toBeGreaterThan(borrowed.length);
        else expect(isGeometric(own)).toBe(true);
        for (const { from } of largestRuns(packs, bytes(max))) expect(from).toBeGreaterThanOrEqual(borrowed.length);
        expect(largestRuns(packs, bytes(max))).toHaveLength(largestRuns(own, bytes(max)).length);
      },
    );

    it('come in one after the other only as far as the pushes outweigh them', () => {
      // Each just twice what is newer, as a parent may have them.
      const sizes = [2_000, 1_000, 500, 250, 125, 62, 31, 15, 7, 3];
      let packs: Sized[] = sizes.map((objects) => ({ objects, packSize: 1, borrowed: 'whole' }));
      packs.push({ objects: 6, packSize: 1, borrowed: 'no' });
      let copied = 0;
      for (let run = geometricRun(packs, noLimits); run !== undefined; run = geometricRun(packs, noLimits)) {
        packs = merged(packs, run);
        copied += (packs[run.from] as Sized).objects;
      }
      expect([packs.length, copied]).toEqual([10, 9]);
    });
  });
});
