import { checkTagKey, type TagKey, tagKeyMax } from '../tag/tag-key.ts';
import { checkTagValue, type TagValue, tagValueMax } from '../tag/tag-value.ts';
import { filterValuesMax } from './limits.ts';
import { TagFilterError, type TagFilterErrorCode } from './tag-filter-error.ts';

/** Whether a resource has a tag of the key, whatever its value. */
export interface PresenceFilter<Key extends string = TagKey> {
  readonly key: Key;
  readonly test: 'has' | 'lacks';
}

/** Whether the tag of the key has one of the values. `none-of` takes a resource without the key, too (TAG-086). */
export interface ValueFilter<Key extends string = TagKey, Values extends readonly string[] = TagFilterValues> {
  readonly key: Key;
  readonly test: 'one-of' | 'none-of';
  readonly values: Values;
}

/** At least one value; the empty one only alone, since the wire has no form for it among others. */
export type TagFilterValues = readonly [TagValue, ...TagValue[]];

/** A filter that was checked: keys, values and their number are within the rules of section 12. */
export type TagFilter = PresenceFilter | ValueFilter;

/** A filter as code writes it down, from any texts. */
export type TagFilterInput = PresenceFilter<string> | ValueFilter<string, readonly string[]>;

/**
 * A filter made from texts that need no decoding.
 *
 * @throws {TagFilterError} 1007 without a key or a value, with an empty value among others, or with a value that holds
 * U+0000 or half of a surrogate pair; 1011, 1014, 1013, 1012 as TAG-152 has it.
 */
export function createTagFilter(filter: TagFilterInput): TagFilter {
  return checkFilter(filter);
}

/** As {@link createTagFilter}, for the filter at a position of a query, from 1. */
export function checkFilter(filter: TagFilterInput, position?: number): TagFilter {
  const key = filter.key as TagKey;
  // The test decides, not whether there are values: a variable of the type may have more members than the type.
  if (filter.test === 'one-of' || filter.test === 'none-of') {
    checkTexts(key, filter.values, position);
    return { key, test: filter.test, values: [...filter.values] as readonly string[] as TagFilterValues };
  }
  checkTexts(key, undefined, position);
  return { key, test: filter.test };
}

/** The order of checks is that of TAG-152. */
function checkTexts(key: string, values: readonly string[] | undefined, position: number | undefined): void {
  const refuse = (code: TagFilterErrorCode, why: string): TagFilterError => new TagFilterError(code, why, position);

  if (key === '') throw refuse(1007, 'empty key');
  if (values?.length === 0) throw refuse(1007, 'no value');
  if (values !== undefined && values.length > 1 && values.includes('')) {
    throw refuse(1007, 'empty item in the value list');
  }
  const valueFaults = values?.map(checkTagValue) ?? [];
  if (valueFaults.includes(1002)) throw refuse(1007, 'U+0000 or half of a surrogate pair in a value');

  const keyFault = checkTagKey(key);
  if (keyFault === 1011) throw refuse(1011, `key of more than ${tagKeyMax} characters`);
  if (keyFault === 1014) throw refuse(1014, 'key with a character other than letters, digits, "_", "." and "-"');
  if (valueFaults.length > filterValuesMax) {
    throw refuse(1013, `${valueFaults.length} values, more than ${filterValuesMax}`);
  }
  const tooLong = valueFaults.indexOf(1012);
  if (tooLong >= 0) throw refuse(1012, `value ${tooLong + 1} of more than ${tagValueMax} characters`);
}
