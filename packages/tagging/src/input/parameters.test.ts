import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { Parameters } from './parameters.ts';

const read = (query: string) => new Parameters(query, ['a', 'b']);
const text = fc.string({ unit: 'grapheme' }).map((one) => one.replaceAll('\0', ''));

describe('parameters', () => {
  test.prop([fc.array(fc.tuple(fc.oneof(fc.constantFrom('a', 'b', 'A', 'tag', ''), text), text))])(
    'TAG-013: reads the output of a form encoder',
    (pairs) => {
      const given = read(`?${new URLSearchParams(pairs)}`);
      for (const name of ['a', 'b'] as const) {
        expect(given.all(name)).toEqual(pairs.flatMap(([one, value]) => (one === name ? [value] : [])));
      }
    },
  );

  test.prop([fc.array(fc.tuple(fc.constantFrom('a', 'b'), text))])(
    'TAG-013: reads percent-encoded text, including spaces',
    (pairs) => {
      const given = read(`?${pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`);
      expect(given.all('a')).toEqual(pairs.flatMap(([one, value]) => (one === 'a' ? [value] : [])));
    },
  );

  test.prop([fc.string({ unit: fc.constantFrom('%', '=', '&', '?', '+', 'a', 'F', '0', '\u{1F600}', '#') })])(
    'reads any other query, or refuses it with the name of the parameter',
    (query) => {
      try {
        read(query).all('a');
      } catch (error) {
        expect(error).toMatchObject({ code: 10100, message: 'Invalid query parameter: a', pointer: '/a' });
      }
    },
  );

  it('TAG-013: splits a query at "&" and the first "=" before decoding it', () => {
    const given = read('?a=1%26b=2&a=x=y&b&%61=c%3Dd&&a=e+f%2Bg');
    expect(given.all('a')).toEqual(['1&b=2', 'x=y', 'c=d', 'e f+g']);
    expect(given.all('b')).toEqual(['']);
  });

  it('TAG-013: the empty query has no parameters, and malformed unknown ones are ignored', () => {
    expect([read('').all('a'), read('?').all('a'), read('?A=1&%FF=1&c=%&__proto__=1').all('a')]).toEqual([[], [], []]);
  });

  it.each(['%', '%F', '%GG', '%FF', '%ED%A0%80', '%C0%80', '%00'])('TAG-182: refuses the value %s', (value) => {
    expect(() => read(`?a=1&a=${value}`).all('a')).toThrow('Invalid query parameter: a');
  });

  it('TAG-166: refuses a repeated parameter if one is expected', () => {
    expect(read('?a=1').one('a')).toBe('1');
    expect(read('?b=1').one('a')).toBeUndefined();
    expect(() => read('?a=1&a=1').one('a')).toThrow('Invalid query parameter: a');
  });
});
