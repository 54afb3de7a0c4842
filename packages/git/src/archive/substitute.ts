import { fromByteText, toByteText } from '../bytes/byte-text.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import type { CommitFormatter } from './format-commit.ts';

/** Bytes of formats and of what they make for one step of work. */
const bytesAStep = 16;

const otherThanAscii = /[\x80-\xff]/;
const keyword = /\$Format:([^$]*)\$/g;

/**
 * Replaces `$Format:...$` by what the commit has for that format (`export-subst` of gitattributes(5)). Git then encodes
 * the file up to there as the commit is, if it reads the texts of the commit. It cannot do so twice, since what it has
 * encoded is no longer UTF-8.
 *
 * @param sizeMax bytes that the result may have. A larger result is not made: the content stays as it is (LIM-035).
 */
export async function substitute(
  content: Uint8Array,
  commit: CommitFormatter,
  sizeMax: number,
  work: Work,
): Promise<Uint8Array> {
  const text = toByteText(content);
  let pieces: string[] = [];
  let [at, size] = [0, 0];
  let [isAscii, isEncoded] = [true, false];
  for (const { 0: whole, 1: found = '', index } of text.matchAll(keyword)) {
    const [format = ''] = found.split('\0', 1);
    const before = text.slice(at, index);
    const first = pieces.push(before);
    const formatted = await commit.format(format, sizeMax - size, pieces);
    if (formatted === undefined) return content;
    size += before.length + formatted.length;
    at = index + whole.length;
    if (work.spend(cost.steps, 1 + (whole.length + Math.max(0, formatted.length)) / bytesAStep)) await work.yield();
    isAscii &&= !otherThanAscii.test(before) && !pieces.slice(first).some((piece) => otherThanAscii.test(piece));
    if (isAscii || isEncoded || !formatted.readsTexts) continue;
    isEncoded = true;
    pieces = [commit.encode(pieces.join(''))];
  }
  if (at === 0 || size + text.length - at > sizeMax) return content;
  return fromByteText(`${pieces.join('')}${text.slice(at)}`);
}
