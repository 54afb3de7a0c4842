/**
 * A line drawing of 24 by 24 units in the colour of the text. It always stands beside words that say the same, so that
 * it is hidden from screen readers.
 */
export const drawing = (shapes: string): string => `<svg viewBox="0 0 24 24" aria-hidden="true">${shapes}</svg>`;
