import { expect, it } from 'vitest';
import { nearest } from './nearest.ts';

it.each([
  ['lst', 'list'],
  ['COMPRE', 'compare'],
  ['git/htp/metods', 'git/http/methods'],
  ['baselnie', 'baseline'],
  ['banana', undefined],
  ['', undefined],
  // A third of the letters may differ, but no more than three.
  ['rXY', undefined],
  [`${'x'.repeat(10_000)}list`, undefined],
])('takes "%s" for %s', (word, meant) => {
  expect(nearest(word, ['run', 'list', 'compare', 'baseline', 'git/http/methods'])).toBe(meant);
});
