import { decodeLossy } from '../../bytes/utf8.ts';
import type { LineMatch } from './line-pattern.ts';
import { endOfLine, startOfLine } from './matching-lines.ts';

/** Maximum bytes of a line to show (LIM-038). */
export const shownMax = 1024;
/** Bytes to show in front of a match, if a line is longer than that. */
const shownBefore = 256;

/** A line as a search shows it (REPO-294). */
export interface ShownLine {
  /** Place of its first match, in bytes from 1. */
  readonly column: number;
  /** The line without its line feed, or a part of it. Bytes that are not UTF-8 are replaced with U+FFFD. */
  readonly text: string;
  /** Its first match in `text`, in UTF-16 units. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly isClipped: boolean;
}

/** Shows the line of a match, or the part of it around the match. */
export function showLine(text: Uint8Array, match: LineMatch): ShownLine {
  const [lineStart, lineEnd] = [startOfLine(text, match.start), endOfLine(text, match.start)];
  const isClipped = lineEnd - lineStart > shownMax;
  let [from, to] = [lineStart, lineEnd];
  if (isClipped) {
    from = Math.max(lineStart, startOfCharacter(text, Math.min(match.start - shownBefore, lineEnd - shownMax)));
    to = startOfCharacter(text, Math.min(lineEnd, from + shownMax));
  }
  const before = decodeLossy(text.subarray(from, match.start));
  return {
    column: match.start - lineStart + 1,
    text: decodeLossy(text.subarray(from, to)),
    start: before.length,
    end: decodeLossy(text.subarray(from, Math.min(match.end, to))).length,
    isClipped,
  };
}

/** Returns the start of the UTF-8 character at an offset. A longer run of its later bytes is no character. */
function startOfCharacter(text: Uint8Array, at: number): number {
  for (let start = at; start > at - 4 && start >= 0; start--) {
    if (((text[start] ?? 0) & 0xc0) !== 0x80) return start;
  }
  return at;
}
