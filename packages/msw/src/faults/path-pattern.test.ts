import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { fitsPath } from './path-pattern.ts';

/** Short texts of few characters, so that many match. */
const text = (characters: string): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...characters), { maxLength: 8 }).map((all) => all.join(''));

describe('paths of faults', () => {
  test.prop([text('ab/.*'), text('ab/.')], { numRuns: 2000 })('match like a regular expression', (pattern, path) => {
    const literal = pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '.*');
    expect(fitsPath(pattern, path)).toBe(new RegExp(`^${literal}$`).test(path));
  });

  test.prop([fc.array(text('ab/.'), { minLength: 1 }), fc.array(text('ab/.'), { minLength: 9, maxLength: 9 })])(
    'match any text for each star',
    (parts, fillings) => {
      const path = parts.map((part, number) => (number === 0 ? part : `${fillings[number % 9]}${part}`)).join('');
      expect(fitsPath(parts.join('*'), path)).toBe(true);
    },
  );
});
