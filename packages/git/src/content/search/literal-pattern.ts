import type { LineMatch, LinePattern } from './line-pattern.ts';

/** Bytes that are searched in one step: about a millisecond. */
const stepBytes = 1024 * 1024;

/** Returns a pattern that matches these bytes, at least one and no line feed (REPO-295). */
export function literalPattern(literal: Uint8Array): LinePattern {
  const find = finderOf(literal);
  return {
    memory: 4096 + 8 * literal.length,
    unitsPerByte: 1,
    stepBytes,
    find(text, from, to): LineMatch | undefined {
      const start = find(text, from, to);
      return start < 0 ? undefined : { start, end: start + literal.length };
    },
  };
}

/**
 * Returns a function that finds the first occurrence in `text[from..to)`, or -1. It is the algorithm of Franek, Jennings
 * and Smyth: it skips like Boyer-Moore while the last byte differs, and compares like Knuth-Morris-Pratt after that. So no
 * text makes it compare a byte more than a few times.
 */
function finderOf(literal: Uint8Array): (text: Uint8Array, from: number, to: number) => number {
  const length = literal.length;
  const last = length - 1;
  const lastByte = literal[last] as number;
  const skips = skipsOf(literal);
  const borders = bordersOf(literal);
  return (text, from, to) => {
    /** Number of bytes of the literal known to be at `at - matched`. */
    let matched = 0;
    let at = from;
    for (;;) {
      if (matched === 0) {
        let end = at + last;
        while (end < to && text[end] !== lastByte) end += skips[text[end + 1] as number] ?? 1;
        if (end >= to) return -1;
        at = end - last;
      } else if (at - matched + length > to) {
        return -1;
      }
      while (matched < length && text[at] === literal[matched]) {
        at++;
        matched++;
      }
      if (matched === length) return at - length;
      if (matched === 0) at++;
      else matched = borders[matched] as number;
    }
  };
}

/** By the byte behind the compared ones: how far to move, so that it meets its last occurrence in the literal. */
function skipsOf(literal: Uint8Array): Uint32Array {
  const skips = new Uint32Array(256).fill(literal.length + 1);
  for (const [i, byte] of literal.entries()) skips[byte] = literal.length - i;
  return skips;
}

/** By length of a front of the literal: the longest shorter front that is also its end. */
function bordersOf(literal: Uint8Array): Uint32Array {
  const borders = new Uint32Array(literal.length + 1);
  let border = 0;
  for (let i = 1; i < literal.length; i++) {
    while (border > 0 && literal[i] !== literal[border]) border = borders[border] as number;
    if (literal[i] === literal[border]) border++;
    borders[i + 1] = border;
  }
  return borders;
}
