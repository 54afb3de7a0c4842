import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { anyFilter, anyTags } from '../filter/arbitraries.test.util.ts';
import type { TagFilter } from '../filter/tag-filter.ts';
import { parseTagFilter } from '../wire/parse-tag-filter.ts';
import { foldCase } from './fold-case.ts';
import { matches } from './matches.ts';

const filter = (text: string): TagFilter => parseTagFilter(text);

describe('matches', () => {
  it('TAG-086: matches has, lacks, one-of and none-of', () => {
    const tags = { env: 'prod' };
    expect(
      ['env', '!team', 'env=dev,prod', 'env!=dev', 'team!=core'].map((text) => matches(filter(text), tags)),
    ).toEqual(Array(5).fill(true));
    expect(
      ['team', '!env', 'env=dev', 'env!=dev,prod', 'team=core'].map((text) => matches(filter(text), tags)),
    ).toEqual(Array(5).fill(false));
  });

  it('TAG-087: matches the empty value like others', () => {
    expect(matches(filter('env='), { env: '' })).toBe(true);
    expect(matches(filter('env='), {})).toBe(false);
    expect(matches(filter('env!='), { env: '' })).toBe(false);
    expect(matches(filter('env!='), {})).toBe(true);
  });

  it('TAG-067: must match all filters; an empty list matches everything', () => {
    expect(matches([filter('env'), filter('team=core')], { env: '', team: 'core' })).toBe(true);
    expect(matches([filter('env'), filter('team=core')], { env: '', team: 'web' })).toBe(false);
    expect(matches([], {})).toBe(true);
  });

  it('TAG-052: ignores inherited members', () => {
    for (const key of ['__proto__', 'constructor', 'toString']) {
      for (const caseInsensitive of [false, true]) {
        expect(matches(filter(key), {}, { caseInsensitive })).toBe(false);
        expect(matches(filter(`${key}=x`), Object.fromEntries([[key, 'x']]), { caseInsensitive })).toBe(true);
      }
    }
  });

  it('TAG-070, TAG-145: is case-sensitive by default, and never trims or normalises', () => {
    expect(matches(filter('ENV=prod'), { env: 'Prod' })).toBe(false);
    expect(matches(filter('ENV=prod'), { env: 'Prod' }, { caseInsensitive: true })).toBe(true);
    for (const caseInsensitive of [false, true]) {
      expect(matches(filter('env=prod'), { env: 'prod ' }, { caseInsensitive })).toBe(false);
      expect(matches(filter('%C3%A9'), { 'e\u0301': '' }, { caseInsensitive })).toBe(false);
    }
  });

  it('TAG-070: combines keys that differ only in case if case is ignored', () => {
    const tags = { env: 'prod', ENV: 'dev' };
    expect(matches(filter('Env=dev'), tags, { caseInsensitive: true })).toBe(true);
    expect(matches(filter('Env!=dev'), tags, { caseInsensitive: true })).toBe(false);
  });

  property.prop([anyFilter, anyTags, fc.boolean()], { numRuns: 500 })(
    'TAG-070, TAG-071, TAG-086: agrees with looking at each tag in turn',
    (filter, tags, caseInsensitive) => {
      const equal = (left: string, right: string): boolean =>
        caseInsensitive ? foldCase(left) === foldCase(right) : left === right;
      const found = Object.entries(tags).some(
        ([key, value]) =>
          equal(key, filter.key) && (!('values' in filter) || filter.values.some((text) => equal(text, value))),
      );
      const expected = filter.test === 'has' || filter.test === 'one-of' ? found : !found;
      expect(matches(filter, tags, { caseInsensitive })).toBe(expected);
    },
  );
});
