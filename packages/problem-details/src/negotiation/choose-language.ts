import { hasAt } from './has-at.ts';
import { isHeavier, isZero, type Weight } from './weight.ts';
import { WeightedList } from './weighted-list.ts';

const hyphen = 45;

/** Whether a text has a basic language range at a place (RFC 4647, section 2.1); `*` is none that a look-up uses. */
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

/** Whether a range, or what is left when subtags are taken off its end, is a tag (RFC 4647, section 3.4). */
const leadsTo = (text: string, start: number, end: number, lowerCaseTag: string): boolean => {
  const { length } = lowerCaseTag;
  if (length > end - start || !hasAt(text, start, lowerCaseTag)) return false;
  // A single letter or digit goes together with what follows it, so a range never ends with one on the way.
  return length === end - start || (text.charCodeAt(start + length) === hyphen && lowerCaseTag.at(-2) !== '-');
};

/**
 * Finds the language of an error response by the look-up of RFC 4647, section 3.4: of the ranges of `Accept-Language` the
 * one of the greatest weight, and of these the first, that leads to a language there is (ERR-148). A range of weight 0
 * or `*` leads to none. Read within the same limits as `Accept`; never throws.
 *
 * @param acceptLanguage Value of the header; whatever is no string is no header.
 * @param languages Tags of the languages that there are texts in, in any case.
 * @param fallback The language when no range leads to another; it is one of those that are looked for, too.
 * @returns One of `languages` as it is spelled there, or `fallback`.
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
