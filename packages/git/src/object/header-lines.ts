import { objectIdBytes } from './object-id.ts';

/** Reading the header lines of commit and tag bodies, without strings. */

/** Tests if `body` has the ASCII bytes of `word` at `at`. */
export function startsWith(body: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (body[at + i] !== word[i]) return false;
  return true;
}

/** Returns the offset of the LF that ends the line at `at`; -1 without one. */
export function lineEnd(body: Uint8Array, at: number): number {
  return body.indexOf(10, at);
}

/**
 * Reads 40 hexadecimal digits and the LF after them; false if the bytes are different. As in Git, upper-case digits are
 * also valid.
 */
export function readIdLine(body: Uint8Array, at: number, target: Uint8Array, targetAt: number): boolean {
  for (let i = 0; i < objectIdBytes; i++) {
    const high = hexValue[body[at + 2 * i] as number] ?? -1;
    const low = hexValue[body[at + 2 * i + 1] as number] ?? -1;
    if (high < 0 || low < 0) return false;
    target[targetAt + i] = (high << 4) | low;
  }
  return body[at + 2 * objectIdBytes] === 10;
}

const hexValue = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit++) {
  const text = digit.toString(16);
  hexValue[text.charCodeAt(0)] = digit;
  hexValue[text.toUpperCase().charCodeAt(0)] = digit;
}

/** The ASCII bytes of a keyword. */
export function keyword(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/**
 * Tests if the header lines are complete: no NUL before the empty line, and without an empty line, an LF at the very
 * end. Git treats other headers as a broken object (fsck `nulInHeader`, `unterminatedHeader`).
 */
export function hasWholeHeader(body: Uint8Array): boolean {
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === 0) return false;
    if (byte === 10 && body[at + 1] === 10) return true;
  }
  return body.at(-1) === 10;
}
