/** Characters that fill two columns of a terminal: the wide and full-width blocks of Unicode (UAX 11), and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** Characters that fill no column: combining and invisible ones. */
const narrow = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Estimates how many columns a text fills. Terminals differ in the characters that they join. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += narrow.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return columns;
}
