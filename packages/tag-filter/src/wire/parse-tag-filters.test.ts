import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { anyWireText } from '../filter/arbitraries.test.util.ts';
import { filterValuesMax, tagFiltersMax } from '../filter/limits.ts';
import { TagFilterError } from '../filter/tag-filter-error.ts';
import { tagKeyMax } from '../tag/tag-key.ts';
import { tagValueMax } from '../tag/tag-value.ts';
import { parseLiterally } from './literal-parser.test.util.ts';
import { parseTagFilters } from './parse-tag-filters.ts';
import { countSteps } from './steps.test.util.ts';

function refusal(search: string): TagFilterError {
  try {
    parseTagFilters(search);
  } catch (error) {
    if (error instanceof TagFilterError) return error;
    throw error;
  }
  throw new Error(`${search} was taken`);
}

const env = { key: 'env', test: 'has' };

describe('parseTagFilters', () => {
  it('TAG-067: reads each tag parameter, in order, with or without the question mark', () => {
    const filters = [env, { key: 'team', test: 'none-of', values: ['core', 'web'] }];
    expect(parseTagFilters('?tag=env&type=worker&tag=team!=core,web&name=')).toEqual(filters);
    expect(parseTagFilters('tag=env&tag=team!=core,web')).toEqual(filters);
    expect(['', '?', 'name=x', 'Tag=x', 'tags=x', 'tag%3Dx', '&&', '=tag'].map(parseTagFilters)).toEqual(
      Array(8).fill([]),
    );
  });

  it('TAG-013: decodes names after splitting the query, and compares them case-sensitively', () => {
    expect(parseTagFilters('%74ag=env&t%61%67=env&TAG=env')).toEqual([env, env]);
  });

  it('TAG-081: splits a query before decoding it', () => {
    expect(parseTagFilters('tag=a=b%26tag=c')).toEqual([{ key: 'a', test: 'one-of', values: ['b&tag=c'] }]);
    expect(parseTagFilters('tag=b=b')).toEqual([{ key: 'b', test: 'one-of', values: ['b'] }]);
  });

  it('TAG-088: a parameter without a value is an empty filter', () => {
    expect(refusal('tag')).toMatchObject({ code: 1007, reason: 'filter 1: empty filter' });
    expect(refusal('x&tag=env&tag=')).toMatchObject({ code: 1007, reason: 'filter 2: empty filter' });
  });

  it('TAG-025: reports position, code and reason', () => {
    expect(refusal('?tag=env&name=x&tag=team=x,')).toMatchObject({
      name: 'TagFilterError',
      message: 'tag parameter must be in format...',
      code: 1007,
      position: 2,
      reason: 'filter 2: empty item in the value list',
    });
  });

  it('TAG-090, TAG-135, TAG-159: refuses more than 20 filters, even equal ones', () => {
    expect(parseTagFilters(Array(20).fill('tag=env').join('&'))).toEqual(Array(20).fill(env));
    expect(refusal(Array(21).fill('tag=env').join('&'))).toMatchObject({
      message: 'too many tag filters (maximum 20)',
      code: 1010,
      position: undefined,
      reason: '21 filters',
    });
  });

  it('TAG-132, TAG-133, TAG-135, TAG-136, TAG-146: the limits are constants', () => {
    expect([tagFiltersMax, filterValuesMax, tagKeyMax, tagValueMax]).toEqual([20, 10, 256, 1024]);
    expect(parseTagFilters).toHaveLength(1);
  });

  it('TAG-152: checks the number of filters first, then each filter in order', () => {
    expect(refusal(`tag=&${Array(20).fill('tag=env').join('&')}`).code).toBe(1010);
    expect(refusal('tag=a:b&tag=')).toMatchObject({ code: 1014, position: 1 });
    expect(refusal('tag=&tag=a:b')).toMatchObject({ code: 1007, position: 1 });
    expect(refusal(`tag=env&tag=${'k'.repeat(257)}&tag=`)).toMatchObject({ code: 1011, position: 2 });
  });

  property.prop([
    fc.array(
      anyWireText.map((text) => text.replaceAll('&', '')),
      { maxLength: 22 },
    ),
  ])('TAG-152: judges several filters as the grammar judges them one by one', (texts) => {
    const search = `?${texts.map((text) => `tag=${text}`).join('&other=%&')}`;
    const each = texts.map(parseLiterally);
    const first = each.findIndex(({ code }) => code !== 0);
    if (texts.length > 20) expect(refusal(search).code).toBe(1010);
    else if (first < 0) expect(parseTagFilters(search)).toEqual(each.map(({ filter }) => filter));
    else expect(refusal(search)).toMatchObject({ code: each[first]?.code, position: first + 1 });
  });

  it.each(['&', 'tag&', 'tag=&', 'tag=env&', '%74', 't', 'tag=,&', '='])(
    'TAG-092: takes a number of steps that is linear in the length of a query: %s',
    (part) => {
      for (const times of [1, 100, 5000]) {
        const search = `?${part.repeat(times)}`;
        const steps = countSteps(() => {
          try {
            parseTagFilters(search);
          } catch (error) {
            if (!(error instanceof TagFilterError)) throw error;
          }
        });
        expect(steps).toBeLessThanOrEqual(30 * search.length);
      }
    },
  );
});
