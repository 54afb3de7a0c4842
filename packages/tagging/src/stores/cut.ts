import type { Tags } from '@packhouse/tag-filter';
import type { TagPart, TagSlice, TagSummary } from '../model/tag-store.ts';

/** Cuts a slice from the items that follow its position. Takes at most one item too many. */
export function cut<T>(
  following: Iterable<T>,
  { limit, lengthMax = Infinity }: TagSlice<unknown>,
  lengthOf: (item: T) => number,
): TagPart<T> {
  const items: T[] = [];
  let length = 0;
  for (const item of following) {
    if (items.length >= limit || (items.length > 0 && length >= lengthMax)) return { items, more: true };
    items.push(item);
    length += lengthOf(item);
  }
  return { items, more: false };
}

/** UTF-16 code units of keys and values. */
export function lengthOfTags(tags: Tags): number {
  return lengthOfTexts(Object.entries(tags).flat());
}

/** UTF-16 code units of a key and its values. */
export function lengthOfSummary({ key, values }: TagSummary): number {
  return key.length + lengthOfTexts(values);
}

function lengthOfTexts(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
