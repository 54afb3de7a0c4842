import { expect, it } from 'vitest';
import { WeightedCache } from './weighted-cache.ts';

it('drops what was used longest ago, and keeps nothing larger than itself', () => {
  const cache = new WeightedCache<string, number>(10, (value) => value);
  expect([cache.set('a', 4), cache.set('b', 4)]).toEqual([true, true]);
  expect(cache.get('a')).toBe(4);
  expect(cache.set('c', 4)).toBe(true);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([4, undefined, 4]);
  expect(cache.set('d', 11)).toBe(false);
  expect(cache.get('d')).toBeUndefined();
  expect(cache.weight).toBe(8);
});

it('weighs a value anew when it is used, since it may have grown', () => {
  const cache = new WeightedCache<string, { weight: number }>(10, ({ weight }) => weight);
  const growing = { weight: 1 };
  cache.set('a', { weight: 5 });
  cache.set('b', growing);
  growing.weight = 8;
  expect(cache.get('b')).toBe(growing);
  expect(cache.weight).toBe(8);
  expect(cache.get('a')).toBeUndefined();
  growing.weight = 11;
  expect(cache.get('b')).toBe(growing);
  expect(cache.get('b')).toBeUndefined();
  expect(cache.weight).toBe(0);
});
