import { describe, expect, it } from 'vitest';
import { defaultResourceTypes } from '../registry/default-resource-types.ts';
import { createRegistry } from '../registry/registry.ts';
import { readListQuery } from './list-query.ts';

const registry = createRegistry(defaultResourceTypes, []);
const read = (query: string) => readListQuery(registry, query);
const refusal = (query: string): unknown => {
  try {
    return read(query);
  } catch (error) {
    const { code, pointer, message, detail } = error as Record<string, unknown>;
    return { code, pointer, message, detail };
  }
};
const bad = (name: string) => ({
  code: 10100,
  pointer: `/${name}`,
  message: `Invalid query parameter: ${name}`,
  detail: undefined,
});
const times = (count: number, text: string): string => Array.from({ length: count }, () => text).join('&');

/** Failures in the order of TAG-152, one per query. */
const failures: readonly (readonly [string, object])[] = [
  [
    times(21, 'tag=env'),
    { code: 1010, pointer: '/tag', message: 'too many tag filters (maximum 20)', detail: undefined },
  ],
  ['tag=a&tag=!a=b', { code: 1007, detail: expect.stringMatching(/^filter 2: /) }],
  ['tag=a:b', { code: 1014, pointer: '/tag', detail: expect.stringMatching(/^filter 1: /) }],
  ['type=Worker', { code: 1006, pointer: '/type', message: 'Invalid resource type', detail: undefined }],
  [times(51, 'id=a'), bad('id')],
  ['name=a&name=a', bad('name')],
  ['case_insensitive=1', bad('case_insensitive')],
];

describe('the query of a list of resources', () => {
  it('TAG-067, TAG-068, TAG-070: has types of either level, ids, a name and filters', () => {
    expect(read('?type=zone&id=b+c&name=A%26B&tag=env=a,b&case_insensitive=true&type=worker&id=a&tag=!x')).toEqual({
      types: ['worker', 'zone'],
      ids: ['a', 'b c'],
      name: 'A&B',
      filters: [
        { key: 'env', test: 'one-of', values: ['a', 'b'] },
        { key: 'x', test: 'lacks' },
      ],
      caseInsensitive: true,
    });
  });

  it('TAG-067, TAG-069, TAG-070: selects everything without parameters or with an empty name', () => {
    const everything = { types: [], ids: [], name: '', filters: [], caseInsensitive: false };
    expect(read('')).toEqual(everything);
    expect(read('?name=&case_insensitive=false&Tag=!&limit=7&types=x')).toEqual(everything);
  });

  it('TAG-138: repeated types and ids count once, and at most 50 ids are allowed', () => {
    expect(read(`?${times(50, 'id=a')}&type=zone&type=zone`)).toMatchObject({ ids: ['a'], types: ['zone'] });
  });

  it.each(failures)('TAG-152, TAG-023, TAG-025: %s', (query, expected) => {
    expect(refusal(`?${query}`)).toMatchObject(expected);
  });

  it('TAG-152: of two failures the first in the order decides, regardless of its position', () => {
    for (const [at, [query, expected]] of failures.entries()) {
      // Filters are reported in their order in the query.
      for (const [later] of failures.slice(Math.max(at + 1, 3))) {
        expect(refusal(`?${later}&${query}`)).toMatchObject(expected);
      }
    }
    expect(refusal(`?${times(20, 'tag=!')}&tag=env`)).toMatchObject({ code: 1010 });
  });

  it.each([
    ['TAG-157', 'tag=', 1007, 'tag parameter must be in format...'],
    ['TAG-160', `tag=${'a'.repeat(257)}`, 1011, 'tag key too long (maximum 256 characters)'],
    ['TAG-161', `tag=a=${'a'.repeat(1025)}`, 1012, 'tag value too long (maximum 1024 characters)'],
    ['TAG-162', 'tag=a=1,2,3,4,5,6,7,8,9,0,1', 1013, 'too many OR values in tag filter (maximum 10)'],
    ['TAG-163', 'tag=a+b', 1014, 'Invalid tag key'],
  ])('%s: %s', (_, query, code, message) => {
    expect(refusal(`?${query}`)).toMatchObject({
      code,
      message,
      pointer: '/tag',
      detail: expect.stringMatching(/^filter 1: /),
    });
  });

  it.each([
    ['id='],
    ['id=a&id='],
    [`id=${'a'.repeat(1025)}`],
    ['id=%FF'],
    ['id=%00'],
    [`name=${'a'.repeat(257)}`],
    ['name=%'],
    ['name=%00'],
    ['case_insensitive='],
    ['case_insensitive=TRUE'],
    ['case_insensitive=true&case_insensitive=true'],
    ['type=%FF'],
  ])('TAG-139, TAG-140, TAG-166, TAG-182: %s', (query) => {
    expect(refusal(`?${query}`)).toEqual(bad(/^\w+/.exec(query)?.[0] ?? ''));
  });

  it('TAG-139: limits a name by characters', () => {
    expect(read(`?name=${encodeURIComponent('𐐀'.repeat(256))}`).name).toHaveLength(512);
  });
});
