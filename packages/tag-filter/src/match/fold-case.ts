/**
 * A text without its case: each code point mapped to upper case and the result to lower case, by the Unicode default
 * mappings without locale (TAG-071). Texts are equal without case if their folded forms are equal. The mappings are
 * those of the runtime's version of Unicode.
 */
export function foldCase(text: string): string {
  // Of the default mappings only that of sigma looks at what stands around it. Upper case has no small final sigma, so
  // each one here comes from that.
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}
