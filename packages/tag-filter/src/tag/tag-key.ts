import { isLongerThan } from './length.ts';

declare const tagKeyBrand: unique symbol;

/** A text that may be a key of a tag (TAG-131, TAG-132). Only {@link parseTagKey} and what reads filters make one. */
export type TagKey = string & { readonly [tagKeyBrand]: true };

/** Most characters of a key (TAG-132). */
export const tagKeyMax = 256;

/** TAG-131: letters (category L), decimal digits (category Nd), `_`, `.`, `-`. No marks, so no combining ones. */
const keyCharacters = /^[\p{L}\p{Nd}_.-]+$/u;

/**
 * What is wrong with a text as a key: 1011 if it is too long, 1014 if it is empty or has a character that keys do not
 * have (TAG-131, TAG-132), in this order; `undefined` if nothing is.
 */
export function checkTagKey(text: string): 1011 | 1014 | undefined {
  if (isLongerThan(text, tagKeyMax)) return 1011;
  return keyCharacters.test(text) ? undefined : 1014;
}

/** A text as a key; `undefined` if it is none. Nothing is trimmed or normalised (TAG-145). */
export function parseTagKey(text: string): TagKey | undefined {
  return checkTagKey(text) === undefined ? (text as TagKey) : undefined;
}
