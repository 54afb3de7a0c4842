import { fromByteText, toByteText } from '../bytes/byte-text.ts';
import { pathPattern, type PathPattern } from '../patterns/path-pattern.ts';
import { unquoted } from './unquoted.ts';

/** The value of an attribute: set, unset, or a byte text; null: the line makes it unspecified. */
export type AttributeValue = boolean | string | null;

export interface AttributeState {
  readonly name: string;
  readonly value: AttributeValue;
}

/** A line of a `.gitattributes` file: for the paths of a pattern, or the definition of a macro. */
export interface AttributeLine {
  /** The pattern, or the name of the macro. */
  readonly subject: PathPattern | string;
  readonly states: readonly AttributeState[];
}

/** Bytes from which on Git ignores a line. */
const lineMax = 2048;

const blanks = /[ \t\r]+/;
const macroPrefix = '[attr]';
const name = /^[\w.][-\w.]*$/;
const state = /^([-!]?)([\w.][-\w.]*)(?:=(.*))?$/s;

/**
 * Yields the lines of a `.gitattributes` file (gitattributes(5)). Like Git, skips lines that are malformed, too long, or
 * have a negative pattern.
 *
 * @param mayDefine false below the root of the tree, where macros are ignored.
 */
export function* parseAttributes(file: Uint8Array, mayDefine: boolean): Generator<AttributeLine, void, undefined> {
  const nul = file.indexOf(0);
  const length = nul < 0 ? file.length : nul;
  for (let start = 0, end: number; start < length; start = end + 1) {
    end = file.indexOf(10, start);
    if (end < 0 || end > length) end = length;
    if (end - start >= lineMax) continue;
    const line = parseLine(toByteText(file, start, end), mayDefine);
    if (line !== undefined) yield line;
  }
}

function parseLine(line: string, mayDefine: boolean): AttributeLine | undefined {
  const text = line.replace(/^[ \t\r]+/, '');
  if (text === '' || text.startsWith('#')) return undefined;
  const end = text.search(blanks);
  const [subject, rest] = unquoted(text) ?? (end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end)]);
  const states: AttributeState[] = [];
  for (const word of rest.split(blanks)) {
    if (word === '') continue;
    const [, sign, attribute, value] = state.exec(word) ?? [];
    // One malformed word spoils the line.
    if (attribute === undefined) return undefined;
    states.push({ name: attribute, value: sign === '' ? (value ?? true) : sign === '-' ? false : null });
  }
  if (subject.length > macroPrefix.length && subject.startsWith(macroPrefix)) {
    const macro = subject.slice(macroPrefix.length);
    return mayDefine && name.test(macro) ? { subject: macro, states } : undefined;
  }
  return subject.startsWith('!') ? undefined : { subject: pathPattern(fromByteText(subject)), states };
}
