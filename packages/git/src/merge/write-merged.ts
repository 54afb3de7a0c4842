import { concatenate } from '../bytes/concatenate.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import type { Lines } from '../diff/line-table.ts';
import type { MergeHunk } from './merge-lines.ts';

/** Labels of the conflict markers of a file. */
export interface MarkerLabels {
  readonly ours: string;
  readonly theirs: string;
  /** Length of a marker: 7 in the result of a merge, 2 more for each merge base that was merged for it. */
  readonly markerSize: number;
}

export interface MergedFile {
  readonly bytes: Uint8Array;
  readonly isClean: boolean;
}

const [lineFeed, carriageReturn] = [10, 13];

/** Writes the result of `mergeLines`, conflicts between markers as Git has them. */
export function writeMerged(
  base: Lines,
  ours: Lines,
  theirs: Lines,
  hunks: readonly MergeHunk[],
  { ours: oursLabel, theirs: theirsLabel, markerSize }: MarkerLabels,
): MergedFile {
  const pieces: Uint8Array[] = [];
  let written = 0;
  for (const hunk of hunks) {
    const { take, oursStart, oursCount, theirsStart, theirsCount } = hunk;
    if (take === 'same') continue;
    pieces.push(linesOf(ours, written, oursStart));
    written = oursStart + oursCount;
    const own = linesOf(ours, oursStart, written);
    const other = linesOf(theirs, theirsStart, theirsStart + theirsCount);
    if (take !== 'both') {
      pieces.push(take === 'ours' ? own : other);
      continue;
    }
    const end = needsCarriageReturn(base, ours, theirs, hunk) ? '\r\n' : '\n';
    const marker = (character: string, label: string): Uint8Array =>
      encodeUtf8(`${character.repeat(markerSize)}${label}${end}`);
    const missingEnd = (lines: Uint8Array): Uint8Array =>
      encodeUtf8(lines.length > 0 && lines.at(-1) !== lineFeed ? end : '');
    pieces.push(marker('<', ` ${oursLabel}`), own, missingEnd(own));
    pieces.push(marker('=', ''), other, missingEnd(other), marker('>', ` ${theirsLabel}`));
  }
  pieces.push(linesOf(ours, written, ours.count));
  return { bytes: concatenate(pieces), isClean: hunks.every(({ take }) => take !== 'both') };
}

function linesOf({ content: bytes, starts }: Lines, from: number, to: number): Uint8Array {
  return bytes.subarray(starts[from], starts[to]);
}

/** Tests if markers end as lines on Windows do, by the lines in front of the conflict, else the first of the base. */
function needsCarriageReturn(base: Lines, ours: Lines, theirs: Lines, { oursStart, theirsStart }: MergeHunk): boolean {
  const found = [
    endsWithCarriageReturn(ours, Math.max(0, oursStart - 1)),
    endsWithCarriageReturn(theirs, Math.max(0, theirsStart - 1)),
    endsWithCarriageReturn(base, 0),
  ];
  // A line that ends with a line feed alone settles it.
  return found[0] !== false && found[1] !== false && found[2] === true;
}

/** Tests if a line ends with CR LF; if it has no end, the line before it. Undefined if neither tells. */
function endsWithCarriageReturn({ content: bytes, starts, count }: Lines, line: number): boolean | undefined {
  if (count === 0) return undefined;
  const isCut = line === count - 1 && bytes[(starts[count] as number) - 1] !== lineFeed;
  if (isCut && line === 0) return undefined;
  const whole = isCut ? line - 1 : line;
  const [start, end] = [starts[whole] as number, starts[whole + 1] as number];
  return end - start > 1 && bytes[end - 2] === carriageReturn;
}
