import { expect, it } from 'vitest';
import { cases } from '../cases/index.ts';
import { groupSample } from './dialect-sample.ts';

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

it('REPO-010: with any seed, three runtimes run all cases between them', () => {
  for (const seed of [0, 1, 2]) {
    const parts = [0, 1, 2].map((turn) => groupSample(cases, seed, 3, turn));
    expect(new Set(parts.flat()).size).toBe(cases.length);
    for (const part of parts) expect(part.length).toBeLessThan(cases.length / 2);
  }
});
