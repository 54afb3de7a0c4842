/**
 * Folds the case of a text: maps each code point to upper case and the result to lower case, with Unicode's default
 * mappings and no locale (TAG-071). Two texts are equal ignoring case if their folded forms are equal. The runtime's
 * Unicode version decides the mappings.
 */
export function foldCase(text: string): string {
  // Only the mapping of sigma depends on its context. Upper case has no final sigma, so each final sigma here results
  // from the mapping.
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}
