import { isLongerThan } from './length.ts';

declare const tagValueBrand: unique symbol;

/** A text that may be a value of a tag (TAG-133, TAG-134). Only {@link parseTagValue} and what reads filters make one. */
export type TagValue = string & { readonly [tagValueBrand]: true };

/** Most characters of a value (TAG-133). */
export const tagValueMax = 1024;

const noScalarText = /[\0\p{Surrogate}]/u;

/** Whether a text is one of Unicode scalar values without U+0000, as values, ids and parents are (TAG-134). */
export function isScalarText(text: string): boolean {
  return !noScalarText.test(text);
}

/**
 * What is wrong with a text as a value: 1002 if it holds U+0000 or half of a surrogate pair (TAG-134, as the body of a
 * set has it; in a filter this is 1007), 1012 if it is too long (TAG-133), in this order; `undefined` if nothing is.
 * The empty text is a value.
 */
export function checkTagValue(text: string): 1002 | 1012 | undefined {
  if (!isScalarText(text)) return 1002;
  return isLongerThan(text, tagValueMax) ? 1012 : undefined;
}

/** A text as a value; `undefined` if it is none. Nothing is trimmed or normalised (TAG-145). */
export function parseTagValue(text: string): TagValue | undefined {
  return checkTagValue(text) === undefined ? (text as TagValue) : undefined;
}
