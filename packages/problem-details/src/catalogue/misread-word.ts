/** Words that a reader of YAML 1.1 takes for a boolean or nothing, and what some take for a number without digits before its exponent. */
const misread = /^(?:true|false|yes|no|on|off|y|n|null|e-?[0-9]+)$/;

/** Whether a reader of YAML could take a word of lower-case letters, unless it is quoted, for something else than text (ERR-056, ERR-059). */
export function isMisread(word: string): boolean {
  return misread.test(word);
}
