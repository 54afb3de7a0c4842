import { tagFiltersMax } from '../filter/limits.ts';
import { checkFilter, type TagFilterInput } from '../filter/tag-filter.ts';
import { TagFilterError } from '../filter/tag-filter-error.ts';

/**
 * Formats a filter as the value of `tag=` in a query. Inverse of `parseTagFilter`. Each filter has one form: a literal
 * operator, literal commas between values, and `%2C` within values.
 *
 * @throws {TagFilterError} if `createTagFilter` refuses the filter.
 */
export function formatTagFilter(filter: TagFilterInput): string {
  return formatFilterAt(filter);
}

/**
 * Formats filters as query parameters without `?`: `tag=env=prod&tag=!archived`. Inverse of `parseTagFilters`.
 *
 * @throws {TagFilterError} if `createTagFilter` refuses a filter, with its position; 1010 for more than 20.
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
