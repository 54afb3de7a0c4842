import { expect, it } from 'vitest';
import { CacheBudget, LruCache } from './lru-cache.ts';

it('evicts the least recently used value, and caches no value above its limit', () => {
  const cache = new LruCache<string, number>(10, (value) => value);
  expect([cache.set('a', 4), cache.set('b', 4)]).toEqual([true, true]);
  expect(cache.get('a')).toBe(4);
  expect(cache.set('c', 4)).toBe(true);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([4, undefined, 4]);
  expect(cache.set('d', 11)).toBe(false);
  expect(cache.get('d')).toBeUndefined();
  expect(cache.weight).toBe(8);
});

it('weighs a value again at each use, since it may have grown', () => {
  const cache = new LruCache<string, { weight: number }>(10, ({ weight }) => weight);
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

it('limits the number of entries by default', () => {
  const cache = new LruCache<string, number>(2);
  for (const [key, value] of Object.entries({ a: 1, b: 2 })) cache.set(key, value);
  cache.get('a');
  cache.set('c', 3);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
});

it('evicts the least recently used entry of all caches that share a budget', () => {
  const budget = new CacheBudget(2);
  const [one, other] = [new LruCache<string, number>(budget), new LruCache<string, number>(budget)];
  one.set('a', 1);
  other.set('b', 2);
  one.get('a');
  other.set('c', 3);
  expect([one.get('a'), other.get('b'), other.get('c'), budget.weight]).toEqual([1, undefined, 3, 2]);
});
