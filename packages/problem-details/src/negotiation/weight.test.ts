import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { isHeavier, isZero, readWeight } from './weight.ts';

const read = (text: string, weight: string): number => {
  const start = text.indexOf(weight);
  const place = readWeight(text, start, start + weight.length);
  if (place === undefined) throw new Error(`${weight} is not legal`);
  return place;
};

describe('weights', () => {
  it('NEG-003: are digits, a point and digits, up to 1', () => {
    for (const legal of ['0', '1', '0.', '1.', '0.1', '0.123456789012345678901', '1.0000000']) {
      expect(readWeight(legal, 0, legal.length)).toBeDefined();
    }
    for (const other of [
      '',
      '2',
      '.5',
      '00',
      '01',
      '1.01',
      '0.5x',
      '0x',
      ' 0',
      '0 ',
      '-0',
      '+1',
      '0..1',
      '1e0',
      '0,5',
    ]) {
      expect(readWeight(other, 0, other.length)).toBeUndefined();
    }
  });

  const digits = fc.oneof(fc.stringMatching(/^[0-9]{0,6}$/), fc.stringMatching(/^1{15,18}[0-9]{0,4}$/));
  const legal = fc.oneof(
    digits.map((digits) => `0.${digits}`),
    fc.constantFrom('0', '1', '1.', '1.000'),
  );

  test.prop([legal, legal, fc.constantFrom(',', ';', ',0', ' 9', '')])(
    'NEG-006: compare like the numbers, regardless of the text after them',
    (first, second, behind) => {
      const text = `[${first},(${second}${behind}`;
      const at = text.indexOf('(') + 1;
      const one = readWeight(text, 1, 1 + first.length) ?? NaN;
      const other = readWeight(text, at, at + second.length) ?? NaN;
      const value = (weight: string): bigint => BigInt(weight.replace('.', '').padEnd(30, '0'));
      fc.pre(!/^[0-9]/u.test(text.slice(at + second.length)));
      expect(isHeavier(text, one, other)).toBe(value(first) > value(second));
      expect(isHeavier(text, other, one)).toBe(value(second) > value(first));
      expect(isZero(text, one)).toBe(value(first) === 0n);
      expect(isZero(text, other)).toBe(value(second) === 0n);
    },
  );

  it('NEG-006: a weight without digits after the point is that of its digit', () => {
    const text = 'q=0.,q=0.1';
    expect(isHeavier(text, read(text, '0.1'), read(text, '0.'))).toBe(true);
    expect(isZero(text, read(text, '0.'))).toBe(true);
  });
});
