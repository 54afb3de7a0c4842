import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../src/negotiation/choose-language.ts';
import { oracleElements } from './negotiation-oracle.ts';
import { hostileHeaders, weightedHeaders } from './weighted-headers.ts';

const languages = ['de', 'de-CH', 'pt-BR', 'zh-Hant', 'fr'];

const examples: readonly (readonly [what: string, expected: string, header: string | null])[] = [
  ['no header', 'en', null],
  ['nothing', 'en', ''],
  ['the first that there is', 'fr', 'it, fr, de'],
  ['the greatest weight', 'de', 'fr;q=0.5, de;q=0.8'],
  ['any case', 'pt-BR', 'PT-br'],
  ['a range with more subtags', 'de', 'de-AT-1996'],
  ['the longest that is left', 'de-CH', 'de-CH-1996'],
  ['a range with fewer subtags leads to none', 'en', 'pt, zh'],
  ['subtags are whole', 'en', 'deu, de1'],
  ['the next range once all of one has failed', 'fr', 'zh-Hans-CN, fr;q=0.9'],
  ['private subtags', 'zh-Hant', 'zh-Hant-CN-x-private1-private2'],
  ['English, which is always there', 'en', 'en-GB, de;q=0.9'],
  ['`*` leads to none of its own', 'de', '*, de;q=0.1'],
  ['only `*`', 'en', '*'],
  ['weight 0', 'en', 'de;q=0'],
  ['a bad weight', 'fr', 'de;q=2, fr;q=0.1'],
  ['no basic range', 'en', 'de-*, -de, de-, de--CH, d\u00e9, de_CH, 1a, abcdefghi, fr-abcdefghi'],
];

describe('examples', () => {
  it.each(examples)('ERR-148: %s', (_, expected, header) => {
    expect(chooseLanguage(header, languages)).toBe(expected);
  });

  it('ERR-148: another fallback', () => {
    expect(chooseLanguage('it', ['de'], 'fr')).toBe('fr');
    expect(chooseLanguage('en, fr;q=0.5, de;q=0.1', ['de'], 'fr')).toBe('fr');
    expect(chooseLanguage('EN', ['en-US', 'EN'], 'en')).toBe('EN');
    expect(chooseLanguage('de', [])).toBe('en');
    expect(chooseLanguage('de', [''])).toBe('en');
  });

  it('ERR-148: a single letter is removed with the subtag after it', () => {
    expect(chooseLanguage('de-x-a', ['de-x', 'de'])).toBe('de');
    expect(chooseLanguage('de-x', ['de-x', 'de'])).toBe('de-x');
  });
});

/** The look-up of RFC 4647, section 3.4, truncating each range subtag by subtag. */
const oracle = (header: string): string => {
  const ranges = oracleElements(header).filter(
    ({ range, weight }) => /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/.test(range) && /[1-9]/.test(weight),
  );
  ranges.sort((a, b) => Number(a.weight < b.weight) - Number(a.weight > b.weight));
  for (const { range } of ranges) {
    const subtags = range.split('-');
    while (subtags.length > 0) {
      const found = [...languages, 'en'].find((tag) => tag.toLowerCase() === subtags.join('-'));
      if (found !== undefined) return found;
      subtags.pop();
      if (subtags.at(-1)?.length === 1) subtags.pop();
    }
  }
  return 'en';
};

const languageHeaders = weightedHeaders([...languages, 'en', 'en-GB', 'de-AT', 'de-CH-1996', 'zh-Hant-x-a', 'it', '*']);

describe('an oracle that truncates ranges subtag by subtag', () => {
  test.prop([languageHeaders], { numRuns: 2000 })('ERR-148: agrees for valid headers and for faulty ones', (header) => {
    expect(chooseLanguage(header, languages)).toBe(oracle(header));
  });

  test.prop([hostileHeaders], { numRuns: 2000 })('ERR-148: agrees for arbitrary texts and bytes', (header) => {
    expect(chooseLanguage(header, languages)).toBe(oracle(header));
  });
});

test.prop([fc.anything()])('ERR-148: treats values that are not strings as a missing header', (value) => {
  fc.pre(typeof value !== 'string');
  expect(Reflect.apply(chooseLanguage, undefined, [value, languages])).toBe('en');
});
