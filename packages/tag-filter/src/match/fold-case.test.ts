import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { foldCase } from './fold-case.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'aAßẞſİıiIςσΣΐŉǅﬁᾳᾼ\u0301\u0307\u0345𐐀𐐨Ꭰꭰ .') }),
);

describe('foldCase', () => {
  it.each([
    ['Straße', 'STRASSE'],
    ['ὈΔΥΣΣΕΎΣ', 'ὀδυσσεύς'],
    ['ﬁn', 'FIN'],
    ['ſ', 'S'],
    ['ı', 'I'],
    ['𐐀', '𐐨'],
    ['Ǆ', 'ǅ'],
  ])('TAG-071: %s equals %s without case', (left, right) => {
    expect(foldCase(left)).toBe(foldCase(right));
  });

  it.each([
    ['é', 'e\u0301'],
    ['İ', 'i'],
    ['a', 'à'],
    ['٣', '3'],
  ])('TAG-071, TAG-145: %s does not equal %s: no locale, nothing normalised', (left, right) => {
    expect(foldCase(left)).not.toBe(foldCase(right));
  });

  property.prop([anyText])('TAG-071: maps each code point to upper case and the result to lower case', (text) => {
    const upper = Array.from(text, (character) => character.toUpperCase()).join('');
    expect(foldCase(text)).toBe(Array.from(upper, (character) => character.toLowerCase()).join(''));
  });

  property.prop([anyText, anyText])('TAG-071: folds a text part by part', (left, right) => {
    expect(foldCase(left + right)).toBe(foldCase(left) + foldCase(right));
  });
});
