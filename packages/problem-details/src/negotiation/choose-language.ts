import { hasAt } from './has-at.ts';
import { isHeavier, isZero, type Weight } from './weight.ts';
import { WeightedList } from './weighted-list.ts';

const hyphen = 45;

/** Tests if a text has a basic language range at a position (RFC 4647, section 2.1). Look-up ignores `*`. */
const isLanguageRange = (text: string, start: number, end: number): boolean => {
  let length = 0;
  let first = true;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
    const isDigit = code >= 48 && code <= 57;
    if (code === hyphen && length > 0) {
      length = 0;
      first = false;
    } else if ((isLetter || (isDigit && !first)) && length < 8) {
      length++;
    } else {
      return false;
    }
  }
  return length > 0;
};

/** Tests if a range, or a truncation of it, equals a tag (RFC 4647, section 3.4). */
const leadsTo = (text: string, start: number, end: number, lowerCaseTag: string): boolean => {
  const { length } = lowerCaseTag;
  if (length > end - start || !hasAt(text, start, lowerCaseTag)) return false;
  // Truncation removes a single letter or digit together with the subtag after it.
  return length === end - start || (text.charCodeAt(start + length) === hyphen && lowerCaseTag.at(-2) !== '-');
};

/**
 * Chooses the language of an error response by the look-up of RFC 4647, section 3.4: the range of `Accept-Language`
 * with the greatest weight that leads to an available language, the first of equal ones (ERR-148). Ignores ranges of
 * weight 0 and `*`. The limits are those of `Accept`. Never throws.
 *
 * @param acceptLanguage value of the header; a value that is not a string counts as absent.
 * @param languages tags of the available languages, in any case.
 * @param fallback the language if no range leads to another one; it is available, too.
 * @returns one of `languages` in its spelling, or `fallback`.
 */
export const chooseLanguage = (
  acceptLanguage: string | null | undefined,
  languages: readonly string[],
  fallback = 'en',
): string => {
  if (typeof acceptLanguage !== 'string') return fallback;
  const tags = [...languages, fallback];
  const lowerCaseTags = tags.map((tag) => tag.toLowerCase());
  let chosen = fallback;
  let heaviest: Weight | undefined;
  const list = new WeightedList(acceptLanguage);
  while (list.next()) {
    const { start, end, weight } = list;
    if (isZero(acceptLanguage, weight) || (heaviest !== undefined && !isHeavier(acceptLanguage, weight, heaviest))) {
      continue;
    }
    if (!isLanguageRange(acceptLanguage, start, end)) continue;
    let longest = '';
    for (const [i, tag] of tags.entries()) {
      if (tag.length > longest.length && leadsTo(acceptLanguage, start, end, lowerCaseTags[i] ?? '')) longest = tag;
    }
    if (longest === '') continue;
    chosen = longest;
    heaviest = weight;
  }
  return chosen;
};
