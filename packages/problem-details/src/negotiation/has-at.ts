/**
 * Tests if a text has another one at an index, ignoring the case of ASCII letters.
 *
 * @param lowerCase the other text. It must fit into `text` from `start` on.
 */
export const hasAt = (text: string, start: number, lowerCase: string): boolean => {
  for (let i = 0; i < lowerCase.length; i++) {
    const code = text.charCodeAt(start + i);
    const lower = code >= 65 && code <= 90 ? code + 32 : code;
    if (lower !== lowerCase.charCodeAt(i)) return false;
  }
  return true;
};
