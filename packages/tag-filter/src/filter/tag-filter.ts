import { checkTagKey, type TagKey, tagKeyMax } from '../tag/tag-key.ts';
import { checkTagValue, type TagValue, tagValueMax } from '../tag/tag-value.ts';
import { filterValuesMax } from './limits.ts';
import { TagFilterError, type TagFilterErrorCode } from './tag-filter-error.ts';

/** Matches resources that have a tag with the key, or that lack it, regardless of its value. */
export interface PresenceFilter<Key extends string = TagKey> {
  readonly key: Key;
  readonly test: 'has' | 'lacks';
}

/**
 * Matches resources whose tag has one of the values, or none of them. `none-of` also matches a resource without the key
 * (TAG-086).
 */
export interface ValueFilter<Key extends string = TagKey, Values extends readonly string[] = TagFilterValues> {
  readonly key: Key;
  readonly test: 'one-of' | 'none-of';
  readonly values: Values;
}

/** At least one value. The empty value must be the only one, since the wire format cannot list it with others. */
export type TagFilterValues = readonly [TagValue, ...TagValue[]];

/** A validated filter: its key, its values and their number satisfy section 12. */
export type TagFilter = PresenceFilter | ValueFilter;

/** A filter before validation, as callers write it. */
export type TagFilterInput = PresenceFilter<string> | ValueFilter<string, readonly string[]>;

/**
 * Makes a filter from decoded texts.
 *
 * @throws {TagFilterError} 1007 for a missing key, no value, an empty value among others, or a value with U+0000 or an
 * unpaired surrogate; 1011, 1014, 1013 or 1012 in the order of TAG-152.
 */
export function createTagFilter(filter: TagFilterInput): TagFilter {
  return checkFilter(filter);
}

/** Does the same as {@link createTagFilter} for the filter at a position of a query, from 1. */
export function checkFilter(filter: TagFilterInput, position?: number): TagFilter {
  const key = filter.key as TagKey;
  // A variable of the type may have members beyond the type, so `test` decides, not the presence of values.
  if (filter.test === 'one-of' || filter.test === 'none-of') {
    checkTexts(key, filter.values, position);
    return { key, test: filter.test, values: [...filter.values] as readonly string[] as TagFilterValues };
  }
  checkTexts(key, undefined, position);
  return { key, test: filter.test };
}

/** Checks in the order of TAG-152. */
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
