import { tagFiltersMax } from '../filter/limits.ts';
import { checkFilter, type TagFilterInput } from '../filter/tag-filter.ts';
import { TagFilterError } from '../filter/tag-filter-error.ts';

/**
 * Writes a filter as it stands in a query after `tag=`: the inverse of `parseTagFilter`. There is one form for each
 * filter, with a literal operator, literal commas between values, and `%2C` for those inside of them.
 *
 * @throws {TagFilterError} for what `createTagFilter` refuses.
 */
export function formatTagFilter(filter: TagFilterInput): string {
  return formatFilterAt(filter);
}

/**
 * Writes filters as parameters of a query, without `?`: `tag=env=prod&tag=!archived`. The inverse of `parseTagFilters`.
 *
 * @throws {TagFilterError} for what `createTagFilter` refuses, with the position; 1010 for more than 20.
 */
export function formatTagFilters(filters: readonly TagFilterInput[]): string {
  if (filters.length > tagFiltersMax) throw new TagFilterError(1010, `${filters.length} filters`);
  return filters.map((filter, index) => `tag=${formatFilterAt(filter, index + 1)}`).join('&');
}

function formatFilterAt(filter: TagFilterInput, position?: number): string {
  const checked = checkFilter(filter, position);
  const key = encodeURIComponent(checked.key);
  switch (checked.test) {
    case 'has':
      return key;
    case 'lacks':
      return `!${key}`;
    case 'one-of':
      return `${key}=${formatValues(checked.values)}`;
    case 'none-of':
      return `${key}!=${formatValues(checked.values)}`;
  }
}

function formatValues(values: readonly string[]): string {
  return values.map((value) => encodeURIComponent(value)).join(',');
}
