import { expect, it } from 'vitest';
import { fewAtOnce, sharedLookup } from './lookups.ts';

it('REPO-201: shares one lookup among concurrent callers, and looks again afterwards', async () => {
  const asked: { host: string; answer: PromiseWithResolvers<readonly string[]> }[] = [];
  const lookup = sharedLookup((host) => {
    const answer = Promise.withResolvers<readonly string[]>();
    asked.push({ host, answer });
    return answer.promise;
  });
  const hosts = () => asked.map(({ host }) => host);
  const both = Promise.all([lookup('a'), lookup('a')]);
  const other = lookup('b');
  expect(hosts()).toEqual(['a', 'b']);
  asked[0]?.answer.resolve(['192.0.2.1']);
  asked[1]?.answer.reject(new Error('not found'));
  expect(await both).toEqual([['192.0.2.1'], ['192.0.2.1']]);
  await expect(other).rejects.toThrow('not found');
  void lookup('a');
  void lookup('b');
  expect(hosts()).toEqual(['a', 'b', 'a', 'b']);
});

it('limits concurrent calls, keeps their order, and continues after a failed call', async () => {
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
