/**
 * Words that YAML 1.1 parsers read as a boolean or null, and exponents without digits before them, which some read as a
 * number.
 */
const misread = /^(?:true|false|yes|no|on|off|y|n|null|e-?[0-9]+)$/;

/** Tests if a YAML parser could read an unquoted lower-case word as something other than text (ERR-056, ERR-059). */
export function isMisread(word: string): boolean {
  return misread.test(word);
}
