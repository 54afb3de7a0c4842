import { expect, it } from 'vitest';
import { remainingTime, roughly } from './remaining-time.ts';

const ids = (group: string, count: number): { id: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${group}/x/${index}` }));

it('estimates the remaining time from cases of the same group, in proportion to what passed', () => {
  const time = remainingTime([...ids('slow', 10), ...ids('fast', 10)]);
  for (let index = 0; index < 5; index++) time.ended(`fast/x/${index}`, 100);
  time.ended('slow/x/0', 10_000);
  // Two cases run at once: 10.5 s of cases took 5.25 s. Nine slow and five fast ones remain.
  expect(time.left(5250)).toBeCloseTo((9 * 10_000 + 5 * 100) / 2, -1);
});

it('estimates nothing from too little, and nothing is left at the end', () => {
  const time = remainingTime(ids('a', 40));
  time.ended('a/x/0', 6000);
  expect(time.left(6000)).toBeUndefined();
  time.ended('a/x/1', 0);
  expect(time.left(4000)).toBeUndefined();
  expect(time.left(6000)).toBeGreaterThan(0);
  for (const { id } of ids('a', 40)) time.ended(id, 1);
  expect(time.left(9000)).toBe(0);
});

it('says a duration as people do', () => {
  expect([1, 10_001, 119_000, 120_001].map(roughly)).toEqual([
    'about 10 s',
    'about 20 s',
    'about 2 min',
    'about 3 min',
  ]);
});
