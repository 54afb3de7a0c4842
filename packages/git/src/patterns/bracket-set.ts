import { decodeLossy } from '../bytes/utf8.ts';

const [exclamation, minus, open, backslash, close, caret, colon] = [0x21, 0x2d, 0x5b, 0x5c, 0x5d, 0x5e, 0x3a];

const allBytes: readonly number[] = Array.from({ length: 256 }, (_, byte) => byte);

/** Bytes of the named classes, as Git has them: ASCII alone, and few of its spaces. */
const classes: ReadonlyMap<string, readonly number[]> = new Map(
  (
    [
      ['alnum', /[A-Za-z0-9]/],
      ['alpha', /[A-Za-z]/],
      ['blank', /[ \t]/],
      // eslint-disable-next-line no-control-regex -- they are meant
      ['cntrl', /[\x00-\x1f\x7f]/],
      ['digit', /[0-9]/],
      ['graph', /[!-~]/],
      ['lower', /[a-z]/],
      ['print', /[ -~]/],
      ['punct', /[!-/:-@[-`{-~]/],
      ['space', /[ \t\n\r]/],
      ['upper', /[A-Z]/],
      ['xdigit', /[0-9A-Fa-f]/],
    ] as const
  ).map(([name, pattern]) => [name, allBytes.filter((byte) => pattern.test(String.fromCharCode(byte)))]),
);

/**
 * The set of bytes in brackets, from behind the opening one on: a table of 256, and where the closing bracket stands.
 * Undefined where Git cannot read it, which then matches nothing.
 */
export function bracketSet(
  pattern: Uint8Array,
  start: number,
): { readonly set: Uint8Array; readonly end: number } | undefined {
  const set = new Uint8Array(256);
  let at = start;
  const isNegated = pattern[at] === exclamation || pattern[at] === caret;
  if (isNegated) at++;
  /** The byte before, which can be the start of a range; 0: no range can start. */
  let before = 0;
  for (let first = true; first || pattern[at] !== close; first = false, at++) {
    let byte = pattern[at];
    if (byte === undefined) return undefined;
    const next = pattern[at + 1];
    if (byte === backslash) {
      byte = pattern[++at];
      if (byte === undefined) return undefined;
      set[byte] = 1;
    } else if (byte === minus && before !== 0 && next !== undefined && next !== close) {
      byte = pattern[++at] === backslash ? pattern[++at] : pattern[at];
      if (byte === undefined) return undefined;
      set.fill(1, before, Math.max(before, byte + 1));
      byte = 0;
    } else if (byte === open && next === colon) {
      const end = pattern.indexOf(close, at + 2);
      if (end < 0) return undefined;
      if (end > at + 2 && pattern[end - 1] === colon) {
        const members = classes.get(decodeLossy(pattern.subarray(at + 2, end - 1)));
        if (members === undefined) return undefined;
        for (const member of members) set[member] = 1;
        at = end;
        byte = 0;
      } else set[open] = 1;
    } else set[byte] = 1;
    before = byte;
  }
  return { set: isNegated ? set.map((member) => 1 - member) : set, end: at };
}
