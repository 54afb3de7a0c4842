import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { anyWireText } from '../filter/arbitraries.test.util.ts';
import { TagFilterError } from '../filter/tag-filter-error.ts';
import { type LiteralResult, parseLiterally } from './literal-parser.test.util.ts';
import { parseTagFilter } from './parse-tag-filter.ts';
import { countSteps } from './steps.test.util.ts';

function outcome(text: string): LiteralResult {
  try {
    return { code: 0, filter: parseTagFilter(text) };
  } catch (error) {
    if (error instanceof TagFilterError) return { code: error.code };
    throw error;
  }
}

function refusal(text: string): TagFilterError {
  try {
    parseTagFilter(text);
  } catch (error) {
    if (error instanceof TagFilterError) return error;
    throw error;
  }
  throw new Error(`${text} was taken`);
}

describe('parseTagFilter', () => {
  property.prop([anyWireText], { numRuns: 2000 })(
    'TAG-081, TAG-082, TAG-083, TAG-084, TAG-085, TAG-088, TAG-089: parses any text as the grammar says',
    (text) => {
      expect(outcome(text)).toEqual(parseLiterally(text));
    },
  );

  it.each([
    ['a==b', { key: 'a', test: 'one-of', values: ['=b'] }],
    ['a%3d=b', { key: 'a', test: 'one-of', values: ['=b'] }],
    ['a=%3Db', { key: 'a', test: 'one-of', values: ['=b'] }],
    ['a%21=b', { key: 'a', test: 'none-of', values: ['b'] }],
    ['a!%3Db', { key: 'a', test: 'none-of', values: ['b'] }],
  ])('TAG-081: the first operator of %s counts', (text, filter) => {
    expect(parseTagFilter(text)).toEqual(filter);
  });

  it('TAG-082: after a literal operator, a percent-encoded comma is part of the value', () => {
    expect(parseTagFilter('a=b%2Cc,d%2c')).toEqual({ key: 'a', test: 'one-of', values: ['b,c', 'd,'] });
  });

  it('TAG-083: after an encoded operator, every comma separates', () => {
    expect(parseTagFilter('a%3Db%2Cc,d%2ce')).toEqual({ key: 'a', test: 'one-of', values: ['b', 'c', 'd', 'e'] });
  });

  it('TAG-084: without an operator the whole text is a key', () => {
    expect(parseTagFilter('%61b')).toEqual({ key: 'ab', test: 'has' });
    expect(parseTagFilter('%21%61b')).toEqual({ key: 'ab', test: 'lacks' });
    expect(refusal('a,b').code).toBe(1014);
  });

  it('TAG-085: a plus is a space, and a byte order mark is a character', () => {
    expect(parseTagFilter('a=b+c+%2B%20')).toEqual({ key: 'a', test: 'one-of', values: ['b c + '] });
    expect(parseTagFilter('a=%EF%BB%BFb')).toEqual({ key: 'a', test: 'one-of', values: ['\uFEFFb'] });
  });

  it.each([
    ['', 'empty filter'],
    ['!', 'empty key'],
    ['%21', 'empty key'],
    ['!=x', 'empty key'],
    ['%3Dx', 'empty key'],
    ['!a=b', '"!" before the key together with an operator'],
    ['%21a%21%3Db', '"!" before the key together with an operator'],
    ['!!=b', '"!" before the key together with an operator'],
    ['a=b,,c', 'empty item in the value list'],
    ['a%3D%2C', 'empty item in the value list'],
    ['a=%', '"%" without two hexadecimal digits after it'],
    ['a=%2', '"%" without two hexadecimal digits after it'],
    ['a%%3Db', '"%" without two hexadecimal digits after it'],
    ['a=%C0%80', 'bytes that are not UTF-8'],
    ['a=%E4,%B8%AD', 'bytes that are not UTF-8'],
    ['a=%ED%A0%80', 'bytes that are not UTF-8'],
    ['a=\ud800', 'half of a surrogate pair'],
    ['a=b#c', '"&" or "#" that is not percent-encoded'],
    ['a=b&c', '"&" or "#" that is not percent-encoded'],
    ['a%00', 'U+0000'],
    ['a=b\0', 'U+0000'],
  ])('TAG-088: %j is refused: %s', (text, reason) => {
    expect(refusal(text)).toMatchObject({ code: 1007, reason, position: undefined });
  });

  it('TAG-089, TAG-132, TAG-133: lengths are counted in characters', () => {
    expect(outcome('𐐀'.repeat(256)).code).toBe(0);
    expect(outcome('𐐀'.repeat(257)).code).toBe(1011);
    expect(outcome(`k=${'%F0%9F%98%80'.repeat(1024)}`).code).toBe(0);
    expect(outcome(`k=${'%F0%9F%98%80'.repeat(1025)}`).code).toBe(1012);
  });

  it('TAG-090, TAG-136: repeated values count', () => {
    expect(outcome(`k=${Array(10).fill('a').join(',')}`).code).toBe(0);
    expect(outcome(`k=${Array(11).fill('a').join(',')}`).code).toBe(1013);
    expect(outcome(`k%3D${Array(11).fill('a').join('%2C')}`).code).toBe(1013);
  });

  it('TAG-091: a colon does not separate', () => {
    expect(refusal('env:prod').code).toBe(1014);
    expect(parseTagFilter('env=a:b')).toEqual({ key: 'env', test: 'one-of', values: ['a:b'] });
  });

  it('TAG-152: checks form, key length, key characters, number of values, then their lengths', () => {
    const [long, space, many, huge] = ['k'.repeat(257), '+', ',v'.repeat(10), 'v'.repeat(1025)];
    expect(refusal(`${long}${space}=${huge}${many}%`).code).toBe(1007);
    expect(refusal(`${long}${space}=${huge}${many}`).code).toBe(1011);
    expect(refusal(`k${space}=${huge}${many}`).code).toBe(1014);
    expect(refusal(`k=${huge}${many}`).code).toBe(1013);
    expect(refusal(`k=v,${huge}`)).toMatchObject({ code: 1012, reason: 'value 2 of more than 1024 characters' });
  });

  it('TAG-157, TAG-160, TAG-161, TAG-162, TAG-163: errors have the messages of the specification', () => {
    expect(refusal('').message).toBe('tag parameter must be in format...');
    expect(refusal('k'.repeat(257)).message).toBe('tag key too long (maximum 256 characters)');
    expect(refusal(`k=${'v'.repeat(1025)}`).message).toBe('tag value too long (maximum 1024 characters)');
    expect(refusal(`k=v${',v'.repeat(10)}`).message).toBe('too many OR values in tag filter (maximum 10)');
    expect(refusal('a:b').message).toBe('Invalid tag key');
  });

  describe('takes a number of steps that is linear in the length of the text', () => {
    const most = 30;
    property.prop([anyWireText])('TAG-092: for any text', (text) => {
      expect(countSteps(() => outcome(text))).toBeLessThanOrEqual(most * (text.length + 2));
    });

    it.each(['!', '%21', '=', '%3D', ',', '%2C', '%', '%C3', '+', 'k', '=,', '!='])(
      'TAG-092: for much of %s',
      (part) => {
        fc.assert(
          fc.property(fc.constantFrom('', 'k=', 'k%3D', '!'), fc.integer({ min: 0, max: 4000 }), (start, times) => {
            const text = `${start}${part.repeat(times)}`;
            expect(countSteps(() => outcome(text))).toBeLessThanOrEqual(most * (text.length + 2));
          }),
          { numRuns: 10 },
        );
      },
    );
  });
});
