import { hasWholeHeader, keyword, lineEnd, readIdLine, startsWith } from './header-lines.ts';
import { objectIdBytes } from './object-id.ts';

/** The parts of a commit that walks over history need. */
export interface Commit {
  /** 20 bytes each: first the tree, then the parents in order. */
  readonly ids: Uint8Array;
  readonly parentCount: number;
  /** Committer time in seconds since 1970; 0 where the line has none that can be read, as in Git. */
  readonly time: number;
}

const treeWord = keyword('tree ');
const parentWord = keyword('parent ');
const authorWord = keyword('author ');
const committerWord = keyword('committer ');

/**
 * Reads a commit body; undefined if it does not parse (GIT-146): tree, parents, author and committer in this order,
 * all lines ended. Like Git, it looks no closer at names and dates, since old public history has odd ones.
 */
export function parseCommit(body: Uint8Array): Commit | undefined {
  const idLine = 2 * objectIdBytes + 1;
  let parentCount = 0;
  let at = treeWord.length + idLine;
  while (startsWith(body, at, parentWord)) {
    parentCount++;
    at += parentWord.length + idLine;
  }
  // Authors may be several in old history: fsck alone minds.
  const authors = at;
  while (startsWith(body, at, authorWord)) {
    const end = lineEnd(body, at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  if (at === authors || !startsWith(body, at, committerWord) || !hasWholeHeader(body)) return undefined;
  const ids = new Uint8Array((1 + parentCount) * objectIdBytes);
  if (!startsWith(body, 0, treeWord) || !readIdLine(body, treeWord.length, ids, 0)) return undefined;
  let from = treeWord.length + idLine + parentWord.length;
  for (let i = 1; i <= parentCount; i++) {
    if (!readIdLine(body, from, ids, i * objectIdBytes)) return undefined;
    from += idLine + parentWord.length;
  }
  return { ids, parentCount, time: timeOfLine(body, at, lineEnd(body, at)) };
}

/** Seconds behind the last `>` of an ident line. */
function timeOfLine(body: Uint8Array, start: number, end: number): number {
  let at = end - 1;
  while (at > start && body[at] !== 62) at--;
  at++;
  while (at < end && body[at] === 32) at++;
  let time = 0;
  for (; at < end; at++) {
    const digit = (body[at] as number) - 48;
    if (digit < 0 || digit > 9) break;
    time = time * 10 + digit;
  }
  return Number.isSafeInteger(time) ? time : 0;
}
