import { expect, it } from 'vitest';
import { sharedLookup } from './shared-lookup.ts';

it('REPO-201: looks for a host once at a time, and anew afterwards', async () => {
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
