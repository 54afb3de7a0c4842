import { describe, expect, it } from 'vitest';
import { createTagFilter } from './tag-filter.ts';

describe('createTagFilter', () => {
  it('copies the checked values, so that later changes of the list have no effect', () => {
    const values = ['prod'];
    const filter = createTagFilter({ key: 'env', test: 'one-of', values });
    values.push('');
    expect(filter).toEqual({ key: 'env', test: 'one-of', values: ['prod'] });
  });

  it('keeps only the members that the test of a filter needs', () => {
    const filter = { key: 'env', test: 'lacks', values: ['prod'], note: '' } as const;
    expect(createTagFilter(filter)).toEqual({ key: 'env', test: 'lacks' });
  });
});
