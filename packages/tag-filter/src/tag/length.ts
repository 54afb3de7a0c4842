/** Whether a text has more characters (Unicode scalar values, not UTF-16 units) than `most`. */
export function isLongerThan(text: string, most: number): boolean {
  if (text.length <= most) return false;
  // A character takes at most two units, so a text that is not counted here need not be.
  return text.length > 2 * most || [...text].length > most;
}
