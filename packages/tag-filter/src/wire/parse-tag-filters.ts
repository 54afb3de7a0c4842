import { tagFiltersMax } from '../filter/limits.ts';
import type { TagFilter } from '../filter/tag-filter.ts';
import { TagFilterError } from '../filter/tag-filter-error.ts';
import { parseFilterAt } from './parse-tag-filter.ts';

/** The name `tag`, percent-encoded or not, and what ends it. */
const tagName = /^(?:t|%74)(?:a|%61)(?:g|%67)(?:=|$)/;

/**
 * Reads the filters of a raw query, one per `tag` parameter; all of them have to match (TAG-067). Other parameters are
 * ignored. Takes linear time (TAG-092).
 *
 * @param search The query as it came, such as `url.search`, with or without `?`. What `URLSearchParams` gives is
 * decoded already and tells `a%2Cb` from `a,b` no more. Of a whole URL the
 * first parameter would be lost, and without a filter more resources match.
 * @throws {TagFilterError} 1010 for more than 20 filters; else of the first filter that is refused, with its position:
 * 1007, 1011, 1014, 1013 or 1012, in the order of TAG-152.
 */
export function parseTagFilters(search: string): readonly TagFilter[] {
  const query = search.startsWith('?') ? search.slice(1) : search;
  const texts = query
    .split('&')
    .filter((part) => tagName.test(part))
    .map((part) => part.replace(tagName, ''));
  if (texts.length > tagFiltersMax) throw new TagFilterError(1010, `${texts.length} filters`);
  return texts.map((text, index) => parseFilterAt(text, index + 1));
}
