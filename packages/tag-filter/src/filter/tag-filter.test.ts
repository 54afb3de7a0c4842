import { describe, expect, it } from 'vitest';
import { createTagFilter } from './tag-filter.ts';

describe('createTagFilter', () => {
  it('keeps the values that it has checked, whatever happens to the list afterwards', () => {
    const values = ['prod'];
    const filter = createTagFilter({ key: 'env', test: 'one-of', values });
    values.push('');
    expect(filter).toEqual({ key: 'env', test: 'one-of', values: ['prod'] });
  });

  it('takes of a filter what its test needs, and nothing else', () => {
    const filter = { key: 'env', test: 'lacks', values: ['prod'], note: '' } as const;
    expect(createTagFilter(filter)).toEqual({ key: 'env', test: 'lacks' });
  });
});
