/**
 * A legal weight of an element (NEG-003), as a place in the text that it stands in, so that weights of any number of
 * digits compare exactly and none is copied: from 0 on the index of the first digit behind the point, where no digit
 * stands if the weight is `0`; below 0, for the weight 1, the complement (`~`) of an index within the element.
 *
 * Weights of one text are in the order of its elements by their `placeOf`.
 */
export type Weight = number;

const zero = 48;
const nine = 57;
const point = 46;

/** An index within the element that a weight belongs to, or just behind it. */
export const placeOf = (weight: Weight): number => (weight < 0 ? ~weight : weight);

/** The weight that stands from `start` to `end`, or undefined if it is not legal (NEG-003). */
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

/** Character code of the digit at an index, or -1 if none stands there. */
const digitAt = (text: string, at: number): number => {
  if (at >= text.length) return -1;
  const code = text.charCodeAt(at);
  return code >= zero && code <= nine ? code : -1;
};

/** Whether a weight is 0. */
export const isZero = (text: string, weight: Weight): boolean => {
  if (weight < 0) return false;
  let at = weight;
  while (digitAt(text, at) === zero) at++;
  return digitAt(text, at) === -1;
};

/** Whether a weight is greater than another one of the same text; looks at no more digits than it has itself. */
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
