import { expect, it } from 'vitest';
import { cases } from '../cases/index.ts';
import { groupSample, partOfEngine } from './dialect-sample.ts';

const idsOf = (seed: number | undefined, every?: number): readonly string[] =>
  groupSample(cases, seed, every).map(({ id }) => id);

it('REPO-010: samples have something of each group, and all cases over all seeds', () => {
  const group = (id: string): string => id.slice(0, id.lastIndexOf('/'));
  const all = cases.map(({ id }) => id);
  expect(idsOf(undefined)).toEqual(all);
  for (const every of [undefined, 4]) {
    const seen = new Set(Array.from({ length: 80 }, (_, seed) => idsOf(seed, every)).flat());
    expect(seen.size).toBe(all.length);
    const first = idsOf(0, every);
    expect(first.length).toBeLessThan(all.length / 2);
    expect(new Set(first.map(group))).toEqual(new Set(all.map(group)));
  }
});

it('REPO-010: three runtimes run each case of the engine once, and all other cases each', () => {
  for (const seed of [0, 1, 2]) {
    const parts = ([0, 1, 2] as const).map((turn) => new Set(partOfEngine(cases, seed, turn)));
    const times = cases.map((one) => parts.filter((part) => part.has(one)).length);
    expect(new Set(times)).toEqual(new Set([1, 3]));
  }
});
