/** What a terminal shows in two columns: the wide and full-width blocks of Unicode (UAX 11), and pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** What stands on the character before it, or is not seen. */
const narrow = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** The columns that a text takes in a terminal, about: terminals differ in what they join. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += narrow.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return columns;
}
