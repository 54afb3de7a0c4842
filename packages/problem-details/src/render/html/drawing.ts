/**
 * Makes a line drawing of 24 by 24 units in the text colour. It is hidden from screen readers, since words next to it
 * say the same.
 */
export const drawing = (shapes: string): string => `<svg viewBox="0 0 24 24" aria-hidden="true">${shapes}</svg>`;
