import { tagFiltersMax } from '../filter/limits.ts';
import type { TagFilter } from '../filter/tag-filter.ts';
import { TagFilterError } from '../filter/tag-filter-error.ts';
import { parseFilterAt } from './parse-tag-filter.ts';

/** Matches the name `tag`, percent-encoded or not, and its end. */
const tagName = /^(?:t|%74)(?:a|%61)(?:g|%67)(?:=|$)/;

/**
 * Parses the filters of a raw query, one per `tag` parameter. A resource must match all of them (TAG-067). Ignores
 * other parameters. Takes linear time (TAG-092).
 *
 * @param search the undecoded query, such as `url.search`, with or without `?`. Values of `URLSearchParams` do not
 * work: they are decoded, so that `a%2Cb` and `a,b` are the same. Nor does a whole URL: its first parameter would be
 * lost, and more resources would match.
 * @throws {TagFilterError} 1010 for more than 20 filters; else for the first refused filter, with its position: 1007,
 * 1011, 1014, 1013 or 1012, in the order of TAG-152.
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
