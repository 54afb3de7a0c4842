import { isLongerThan } from './length.ts';

declare const tagKeyBrand: unique symbol;

/** A valid tag key (TAG-131, TAG-132). Only {@link parseTagKey} and the filter parsers make one. */
export type TagKey = string & { readonly [tagKeyBrand]: true };

/** Maximum length of a key in characters (TAG-132). */
export const tagKeyMax = 256;

/**
 * Letters (category L), decimal digits (category Nd), `_`, `.` and `-` (TAG-131). Marks are excluded, including
 * combining ones.
 */
const keyCharacters = /^[\p{L}\p{Nd}_.-]+$/u;

/**
 * Checks a key. Returns 1011 if it is too long, 1014 if it is empty or has a forbidden character (TAG-131, TAG-132), in
 * this order, or `undefined` if it is valid.
 */
export function checkTagKey(text: string): 1011 | 1014 | undefined {
  if (isLongerThan(text, tagKeyMax)) return 1011;
  return keyCharacters.test(text) ? undefined : 1014;
}

/** Parses a key. Returns `undefined` if it is invalid. Never trims or normalises (TAG-145). */
export function parseTagKey(text: string): TagKey | undefined {
  return checkTagKey(text) === undefined ? (text as TagKey) : undefined;
}
