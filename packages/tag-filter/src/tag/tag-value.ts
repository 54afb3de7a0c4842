import { isLongerThan } from './length.ts';

declare const tagValueBrand: unique symbol;

/** A valid tag value (TAG-133, TAG-134). Only {@link parseTagValue} and the filter parsers make one. */
export type TagValue = string & { readonly [tagValueBrand]: true };

/** Maximum length of a value in characters (TAG-133). */
export const tagValueMax = 1024;

const noScalarText = /[\0\p{Surrogate}]/u;

/** Tests if a text consists of Unicode scalar values without U+0000, as values, ids and parents must (TAG-134). */
export function isScalarText(text: string): boolean {
  return !noScalarText.test(text);
}

/**
 * Checks a value. Returns 1002 if it has U+0000 or an unpaired surrogate (TAG-134; a filter reports 1007 instead), 1012
 * if it is too long (TAG-133), in this order, or `undefined` if it is valid. The empty text is valid.
 */
export function checkTagValue(text: string): 1002 | 1012 | undefined {
  if (!isScalarText(text)) return 1002;
  return isLongerThan(text, tagValueMax) ? 1012 : undefined;
}

/** Parses a value. Returns `undefined` if it is invalid. Never trims or normalises (TAG-145). */
export function parseTagValue(text: string): TagValue | undefined {
  return checkTagValue(text) === undefined ? (text as TagValue) : undefined;
}
