/**
 * Computes a lower bound of the bytes of a text in the HTML page: UTF-8 with `& < > " '` escaped, plus the tags for
 * bold text and lines (ERR-071).
 */
export function htmlWeight(text: string): number {
  let weight = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    if ('&<>"\''.includes(character)) weight += '&quot;'.length;
    else if (character === '*') weight += '</strong>'.length / 2;
    else if (character === '\n') weight += '<ol start=""><li></li></ol>'.length;
    else weight += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_00_00 ? 3 : 4;
  }
  return weight;
}
