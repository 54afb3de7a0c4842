import { expect, it } from 'vitest';
import { fewAtOnce } from './few-at-once.ts';

it('has no more calls go on at once, in their order, and goes on after one that fails', async () => {
  const [begun, ends]: [string[], PromiseWithResolvers<string>[]] = [[], []];
  const call = fewAtOnce(2, (name: string) => {
    begun.push(name);
    const end = Promise.withResolvers<string>();
    ends.push(end);
    return end.promise;
  });
  const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map((name) => call(name));
  expect(begun).toEqual(['a', 'b']);
  ends[0]?.reject(new Error('no a'));
  await expect(first).rejects.toThrow('no a');
  expect(begun).toEqual(['a', 'b', 'c']);
  ends[2]?.resolve('of c');
  expect(await third).toBe('of c');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  for (const end of ends) end.resolve('done');
  expect(await Promise.all([second, fourth])).toEqual(['done', 'done']);
  const fifth = call('e');
  expect(begun.at(-1)).toBe('e');
  ends[4]?.resolve('done');
  await fifth;
});
