import { cost } from '../../work/costs.ts';
import type { Work } from '../../work/scheduler.ts';
import type { LineMatch, LinePattern } from './line-pattern.ts';

const lineFeed = 10;

/** Bytes at the start of a file that decide if it is binary, as in Git (REPO-295). */
const sniffed = 8000;

/** Tests if Git takes a file with this content for a binary one. */
export function isBinary(text: Uint8Array): boolean {
  return text.subarray(0, sniffed).includes(0);
}

/** Outcome of one step of a search. */
export interface SearchStep {
  /** The first match. Default: none. */
  readonly match: LineMatch | undefined;
  /** Start of the line behind that of the match, or behind all lines of the step. */
  readonly next: number;
}

/** Searches a text from the start of a line on, as far as one step goes. */
export async function searchStep(
  work: Work,
  pattern: LinePattern,
  text: Uint8Array,
  from: number,
): Promise<SearchStep> {
  const end = endOfStep(text, from, pattern.stepBytes);
  const match = pattern.find(text, from, end);
  const next = (match === undefined ? end : endOfLine(text, match.start)) + 1;
  if (work.spend(cost.searched, pattern.unitsPerByte * (next - from))) await work.yield();
  return { match, next };
}

/** Returns the end of the last whole line within `bytes` from the start of a line, or of that line if it is longer. */
function endOfStep(text: Uint8Array, from: number, bytes: number): number {
  const most = from + bytes;
  if (most >= text.length) return text[text.length - 1] === lineFeed ? text.length - 1 : text.length;
  const last = text.lastIndexOf(lineFeed, most);
  return last >= from ? last : endOfLine(text, most);
}

/** Returns the offset of the line feed behind an offset, or the length of the text. */
export function endOfLine(text: Uint8Array, at: number): number {
  const end = text.indexOf(lineFeed, at);
  return end < 0 ? text.length : end;
}

/** Returns the offset at which the line of an offset starts. */
export function startOfLine(text: Uint8Array, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf(lineFeed, at - 1) + 1;
}

/** Returns the start of the line behind so many lines, or the length of the text. */
export function passLines(text: Uint8Array, count: number): number {
  let at = 0;
  for (let passed = 0; passed < count && at < text.length; passed++) at = endOfLine(text, at) + 1;
  return at;
}

/** Counts the line feeds of `text[from..to)`. */
export function countLineFeeds(text: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (text[at] === lineFeed) count++;
  return count;
}
