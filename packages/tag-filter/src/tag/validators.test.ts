import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { checkTagKey, parseTagKey, tagKeyMax } from './tag-key.ts';
import { checkTagValue, isScalarText, parseTagValue, tagValueMax } from './tag-value.ts';

const characterOfKeys = /^(?:\p{L}|\p{Nd}|_|\.|-)$/u;
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'aé环9_.- \u0301𝟘', '\ud800') }),
  fc.string({ unit: 'binary' }),
);

describe('checkTagKey', () => {
  it.each(['a', 'Équipe', '环境', '٣', '𝟘', '10', 'a.b-c_d', '__proto__', 'ªº', 'ǅ', 'ʰ', '𐐀'])(
    'TAG-131: accepts %j',
    (key) => {
      expect(checkTagKey(key)).toBeUndefined();
      expect(parseTagKey(key)).toBe(key);
    },
  );

  it.each([
    '',
    ' ',
    'a b',
    'a/b',
    'a:b',
    'a=b',
    '!a',
    'a\n',
    'e\u0301',
    '\u{1F600}',
    'Ⅷ',
    '½',
    '²',
    '\ud800',
    'a\0',
    '٪',
    '–',
  ])('TAG-131, TAG-178: refuses %j with 1014', (key) => {
    expect(checkTagKey(key)).toBe(1014);
    expect(parseTagKey(key)).toBeUndefined();
  });

  property.prop([anyText])('TAG-131: accepts letters, decimal digits, and three signs', (text) => {
    const characters = Array.from(text);
    const good = characters.length > 0 && characters.every((character) => characterOfKeys.test(character));
    expect(checkTagKey(text)).toBe(good ? undefined : 1014);
  });

  it('TAG-132: counts characters up to 256, and checks the length first', () => {
    expect(tagKeyMax).toBe(256);
    for (const letter of ['a', '𐐀']) {
      expect(checkTagKey(letter.repeat(256))).toBeUndefined();
      expect(checkTagKey(letter.repeat(257))).toBe(1011);
    }
    expect(checkTagKey(' '.repeat(257))).toBe(1011);
    expect(checkTagKey('a'.repeat(1_000_000))).toBe(1011);
  });
});

describe('checkTagValue', () => {
  it('TAG-133: counts characters up to 1,024; the empty text is a value', () => {
    expect(tagValueMax).toBe(1024);
    expect(parseTagValue('')).toBe('');
    for (const character of ['a', '\u{1F600}']) {
      expect(checkTagValue(character.repeat(1024))).toBeUndefined();
      expect(checkTagValue(character.repeat(1025))).toBe(1012);
      expect(parseTagValue(character.repeat(1025))).toBeUndefined();
    }
  });

  it.each(['\0', 'a\0b', '\ud800', 'a\udc00', '\udc00\ud800', `${'a'.repeat(1025)}\0`])(
    'TAG-134, TAG-176: refuses %j with 1002',
    (value) => {
      expect(checkTagValue(value)).toBe(1002);
      expect(isScalarText(value)).toBe(false);
    },
  );

  property.prop([fc.string({ unit: 'binary' })])('TAG-134, TAG-145: accepts any other text unchanged', (text) => {
    const value = text.replaceAll('\0', '');
    expect(parseTagValue(value)).toBe(value);
  });
});
