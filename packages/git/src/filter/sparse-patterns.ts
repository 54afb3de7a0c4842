import { pathPattern, type PathPattern } from '../patterns/path-pattern.ts';

/** One pattern of a file of sparse patterns. */
export interface SparsePattern extends PathPattern {
  /** True if matching entries are excluded. */
  readonly isNegative: boolean;
}

const [lineFeed, carriageReturn, space, exclamation, hash, backslash] = [10, 13, 0x20, 0x21, 0x23, 0x5c];

/**
 * Reads sparse patterns in the same way as stock git reads those of `sparse:oid` (gitignore(5); never in cone mode).
 */
export function parseSparsePatterns(file: Uint8Array): SparsePattern[] {
  return Array.from(lines(file), parsePattern);
}

/** The lines that have a pattern, without the line ends. */
function* lines(file: Uint8Array): Generator<Uint8Array, void, undefined> {
  const isMarked = file[0] === 0xef && file[1] === 0xbb && file[2] === 0xbf;
  for (let start = isMarked ? 3 : 0, end: number; start < file.length; start = end + 1) {
    end = file.indexOf(lineFeed, start);
    if (end < 0) end = file.length;
    if (end === start || file[start] === hash) continue;
    const line = file.subarray(start, file[end - 1] === carriageReturn ? end - 1 : end);
    // Strings in Git end at a NUL.
    const nul = line.indexOf(0);
    yield withoutSpaces(nul < 0 ? line : line.subarray(0, nul));
  }
}

/** Removes the spaces at the end that have no backslash before them. */
function withoutSpaces(line: Uint8Array): Uint8Array {
  let spaces = -1;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === space) {
      if (spaces < 0) spaces = at;
      continue;
    }
    spaces = -1;
    if (line[at] === backslash) at++;
  }
  return spaces < 0 ? line : line.subarray(0, spaces);
}

function parsePattern(line: Uint8Array): SparsePattern {
  const isNegative = line[0] === exclamation;
  return { ...pathPattern(isNegative ? line.subarray(1) : line), isNegative };
}
