/**
 * Converts a text to look for. PostgreSQL refuses U+0000 in a text, and no stored name or id contains the replacement.
 */
export function searchText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
