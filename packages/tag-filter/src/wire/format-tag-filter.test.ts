import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { anyFilter, anyWireText } from '../filter/arbitraries.test.util.ts';
import { TagFilterError } from '../filter/tag-filter-error.ts';
import { formatTagFilter, formatTagFilters } from './format-tag-filter.ts';
import { parseTagFilter } from './parse-tag-filter.ts';
import { parseTagFilters } from './parse-tag-filters.ts';

describe('formatTagFilter', () => {
  it.each([
    [{ key: 'env', test: 'has' } as const, 'env'],
    [{ key: 'env', test: 'lacks' } as const, '!env'],
    [{ key: 'Équipe', test: 'one-of', values: ['a,b', 'c d+'] } as const, '%C3%89quipe=a%2Cb,c%20d%2B'],
    [{ key: 'env', test: 'none-of', values: [''] } as const, 'env!='],
    [{ key: 'env', test: 'one-of', values: ['=!&#%'] } as const, 'env=%3D!%26%23%25'],
  ])('writes %j', (filter, text) => {
    expect(formatTagFilter(filter)).toBe(text);
  });

  it.each([
    [{ key: '', test: 'has' } as const, 1007],
    [{ key: 'k', test: 'one-of', values: [] } as const, 1007],
    [{ key: 'k', test: 'one-of', values: ['a', ''] } as const, 1007],
    [{ key: 'k', test: 'one-of', values: ['\ud800'] } as const, 1007],
    [{ key: 'k', test: 'one-of', values: ['\0'] } as const, 1007],
    [{ key: 'k'.repeat(257), test: 'has' } as const, 1011],
    [{ key: 'k'.repeat(256), test: 'one-of', values: ['v'.repeat(1025)] } as const, 1012],
    [{ key: 'k', test: 'none-of', values: Array<string>(11).fill('v') } as const, 1013],
    [{ key: 'a b', test: 'lacks' } as const, 1014],
  ])('refuses %j with %i', (filter, code) => {
    expect(() => formatTagFilter(filter)).toThrow(expect.objectContaining({ code, position: undefined }));
  });

  property.prop([anyFilter], { numRuns: 500 })('parse(format(filter)) is the filter', (filter) => {
    expect(parseTagFilter(formatTagFilter(filter))).toEqual(filter);
  });

  property.prop([anyFilter])('the result survives URL, which splits it nowhere', (filter) => {
    const url = new URL('https://host.example/');
    url.search = `tag=${formatTagFilter(filter)}`;
    expect(parseTagFilters(url.search)).toEqual([filter]);
  });

  property.prop([anyWireText], { numRuns: 500 })('format(parse(text)) is idempotent', (text) => {
    let canonical: string;
    try {
      canonical = formatTagFilter(parseTagFilter(text));
    } catch (error) {
      if (error instanceof TagFilterError) return;
      throw error;
    }
    expect(formatTagFilter(parseTagFilter(canonical))).toBe(canonical);
  });
});

describe('formatTagFilters', () => {
  property.prop([fc.array(anyFilter, { maxLength: 20 })])('parse(format(filters)) are the filters', (filters) => {
    expect(parseTagFilters(formatTagFilters(filters))).toEqual(filters);
  });

  it('TAG-135: refuses more than 20, and gives the position of a refused filter', () => {
    const filter = { key: 'env', test: 'has' } as const;
    expect(() => formatTagFilters(Array(21).fill(filter))).toThrow(expect.objectContaining({ code: 1010 }));
    expect(() => formatTagFilters([filter, { key: 'a:b', test: 'has' }])).toThrow(
      expect.objectContaining({ code: 1014, position: 2 }),
    );
  });
});
