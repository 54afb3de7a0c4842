/**
 * A valid weight of an element (NEG-003), as a position in its text. So weights with any number of digits compare
 * exactly and without copies. From 0 on, it is the index of the first digit after the point, where there is no digit if
 * the weight is `0`. Below 0, for weight 1, it is the complement (`~`) of an index within the element.
 *
 * By `placeOf`, weights of one text have the order of its elements.
 */
export type Weight = number;

const zero = 48;
const nine = 57;
const point = 46;

/** Returns an index within the element of a weight, or just after it. */
export const placeOf = (weight: Weight): number => (weight < 0 ? ~weight : weight);

/** Parses the weight from `start` to `end`. Returns undefined if it is malformed (NEG-003). */
export const readWeight = (text: string, start: number, end: number): Weight | undefined => {
  if (start >= end) return undefined;
  const whole = text.charCodeAt(start);
  if (whole !== zero && whole !== zero + 1) return undefined;
  const weight = whole === zero ? Math.min(start + 2, end) : ~start;
  if (end === start + 1) return weight;
  if (text.charCodeAt(start + 1) !== point) return undefined;
  const greatest = whole === zero ? nine : zero;
  for (let at = start + 2; at < end; at++) {
    const digit = text.charCodeAt(at);
    if (digit < zero || digit > greatest) return undefined;
  }
  return weight;
};

/** Returns the character code of the digit at an index, or -1 if there is no digit. */
const digitAt = (text: string, at: number): number => {
  if (at >= text.length) return -1;
  const code = text.charCodeAt(at);
  return code >= zero && code <= nine ? code : -1;
};

/** Tests if a weight is 0. */
export const isZero = (text: string, weight: Weight): boolean => {
  if (weight < 0) return false;
  let at = weight;
  while (digitAt(text, at) === zero) at++;
  return digitAt(text, at) === -1;
};

/** Tests if a weight is greater than another one of the same text. Reads no more digits than it has itself. */
export const isHeavier = (text: string, weight: Weight, other: Weight): boolean => {
  if (weight < 0 || other < 0) return other >= 0;
  let otherAt = other;
  for (let at = weight; ; at++) {
    const digit = digitAt(text, at);
    if (digit === -1) return false;
    const otherDigit = digitAt(text, otherAt);
    if (otherDigit !== -1) otherAt++;
    if (digit !== Math.max(otherDigit, zero)) return digit > otherDigit;
  }
};
