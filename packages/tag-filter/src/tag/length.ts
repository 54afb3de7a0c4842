/** Tests if a text has more than `most` characters (Unicode scalar values, not UTF-16 units). */
export function isLongerThan(text: string, most: number): boolean {
  if (text.length <= most) return false;
  // Avoids counting: a character takes at most two units.
  return text.length > 2 * most || [...text].length > most;
}
