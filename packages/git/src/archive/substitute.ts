import { fromByteText, toByteText } from '../bytes/byte-text.ts';
import type { CommitFormatter } from './format-commit.ts';

const keyword = /\$Format:([^$]*)\$/g;

/**
 * Replaces `$Format:...$` by what the commit has for that format (`export-subst` of gitattributes(5)).
 *
 * @param sizeMax bytes that the result may have. A larger result is not made: the content stays as it is (LIM-035).
 */
export async function substitute(content: Uint8Array, commit: CommitFormatter, sizeMax: number): Promise<Uint8Array> {
  const text = toByteText(content);
  const pieces: string[] = [];
  let [at, size] = [0, 0];
  for (const { 0: whole, 1: found = '', index } of text.matchAll(keyword)) {
    const [format = ''] = found.split('\0', 1);
    const shown = await commit.format(format, sizeMax - size);
    if (shown === undefined) return content;
    pieces.push(text.slice(at, index), shown);
    size += index - at + shown.length;
    at = index + whole.length;
  }
  if (at === 0 || size + text.length - at > sizeMax) return content;
  return fromByteText(`${pieces.join('')}${text.slice(at)}`);
}
