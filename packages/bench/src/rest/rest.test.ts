import { expect, it } from 'vitest';
import { parseRestOptions } from './options.ts';

it('the command line has defaults, accepts every option, and refuses others', () => {
  const defaults = { repo: undefined, term: 'return', rounds: 5, out: undefined, help: false };
  expect(parseRestOptions([])).toEqual({ ...defaults, sizes: [1_000, 10_000, 100_000, 1_000_000] });
  const args = ['--sizes', '600,700', '--repo', 'x', '--term', 'y', '--rounds', '2', '--out', 'z', '--help'];
  const all = { sizes: [600, 700], repo: 'x', term: 'y', rounds: 2, out: 'z', help: true };
  expect(parseRestOptions(args)).toEqual(all);
  expect(() => parseRestOptions(['--sizes', '100'])).toThrow('--sizes');
});
