import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { compareBytewise } from '@packhouse/base';
import { firstBehind } from './name-range.ts';

const text = fc.string({ unit: 'binary' });

test.prop({ prefix: text, rest: text })('sorts after every text with the prefix', ({ prefix, rest }) => {
  const behind = firstBehind(prefix);
  if (behind === undefined) expect(prefix).toMatch(/^\u{10ffff}*$/u);
  else expect(compareBytewise(prefix + rest, behind)).toBeLessThan(0);
});

test.prop({ prefix: text, other: text })('sorts before every text after those with the prefix', ({ prefix, other }) => {
  const behind = firstBehind(prefix);
  if (behind === undefined || other.startsWith(prefix) || compareBytewise(other, prefix) < 0) return;
  expect(compareBytewise(other, behind)).toBeGreaterThanOrEqual(0);
});
