import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { isAccountId } from '@packhouse/base';
import { foldName } from './fold.ts';
import { parseNamespaceName } from './namespace-name.ts';
import { parseRepoName } from './repo-name.ts';

const limits = { namespace_name_min: 2, namespace_name_max: 63 };
const alphabet = 'abcXYZ019._-';
const nameLike = fc.string({ unit: fc.constantFrom(...alphabet, ' ', 'ä', '/', '\n'), maxLength: 70 });
const allIn = (text: string, characters: string) => [...text].every((one) => characters.includes(one));

describe('names', () => {
  test.prop([nameLike], { numRuns: 500 })(
    'REPO-060, LIM-005: a namespace name has the characters, length and ends of the rule',
    (text) => {
      const valid =
        text.length >= 2 &&
        text.length <= 63 &&
        allIn(text, alphabet) &&
        !'._-'.includes(text[0] as string) &&
        !text.endsWith('-');
      expect(parseNamespaceName(text, limits)).toBe(valid ? text : undefined);
    },
  );

  test.prop([nameLike, fc.integer({ min: 1, max: 40 })], { numRuns: 500 })(
    'REPO-061: a repo name has the characters and length of the rule',
    (text, max) => {
      const matches = text !== '' && allIn(text, alphabet) && !'._-'.includes(text[0] as string);
      const expected = !matches
        ? { broken: 'Invalid repo name: must match /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/' }
        : text.length > max
          ? { broken: `Invalid repo name: must be at most ${max} characters` }
          : { name: text };
      expect(parseRepoName(text, max)).toEqual(expected);
    },
  );

  test.prop([fc.string()])('REPO-062: folding changes ASCII letters alone, once', (text) => {
    const folded = foldName(text);
    expect(folded.length).toBe(text.length);
    expect(foldName(folded)).toBe(folded);
    expect([...text].every((one, i) => [...folded][i] === (/[A-Z]/.test(one) ? one.toLowerCase() : one))).toBe(true);
  });

  it('REPO-062: what only looks equal beyond ASCII stays apart', () => {
    expect(foldName('K\u212a\u0130É')).toBe('k\u212a\u0130É');
  });

  it('REPO-038: account ids', () => {
    for (const id of ['a', 'A_b-9', 'x'.repeat(64)]) expect(isAccountId(id)).toBe(true);
    for (const id of ['', 'x'.repeat(65), 'a.b', 'a b', 'ä', 'a\n', 'a/b']) expect(isAccountId(id)).toBe(false);
  });
});
