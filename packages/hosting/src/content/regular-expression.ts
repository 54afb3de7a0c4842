import type { LineMatch, LinePattern } from '@packhouse/git';

/** Maximum size of the program of an expression (LIM-038). */
const programMax = 600;
/** Memory of the automaton that the library makes while it searches, and of its other engines. */
const memory = 24 * 1024 * 1024;
/** Bytes times the size of the program for one step: below 0.1 s even if the automaton does not help. */
const stepWork = 600_000;
/** Bytes of a line that an expression sees at least (LIM-038). */
const lineMin = 4096;
const stepMax = 64 * 1024;

/** Parts of an expression that mean the ends of a whole text, so that it cannot be tested against several lines. */
const meansWholeText = /\\[Az]|\(\?[a-zA-Z]*-/;

export interface ExpressionOptions {
  /** True: the source is text that matches itself. */
  readonly isLiteral: boolean;
  readonly ignoreCase: boolean;
}

/**
 * Compiles a regular expression in the syntax of RE2 (REPO-297). It takes time linear in the
 * text. Returns the reason as text if it is malformed or too large.
 *
 * The library is loaded on first use, since it is as large as a quarter of the service.
 */
export async function compileExpression(
  source: string,
  { isLiteral, ignoreCase }: ExpressionOptions,
): Promise<LinePattern | string> {
  const { RE2JS, RE2JSException } = await import('re2js');
  const flags = RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  let expression;
  try {
    expression = RE2JS.compile(isLiteral ? RE2JS.quote(source) : source, flags);
  } catch (error) {
    if (error instanceof RE2JSException) return reasonOf(error.message);
    throw error;
  }
  const size = expression.programSize();
  if (size > programMax) return `too large: a program of ${size} instructions, limit ${programMax}`;
  const testsLines = !isLiteral && meansWholeText.test(source);
  const stepBytes = Math.max(lineMin, Math.min(stepMax, Math.floor(stepWork / size)));

  const findInLine = (line: Uint8Array, at: number): LineMatch | undefined => {
    if (!expression.test(line)) return undefined;
    const matcher = expression.matcher(line);
    return matcher.find() ? { start: at + matcher.start(), end: at + matcher.end() } : undefined;
  };
  return {
    memory,
    unitsPerByte: 10 + size / 2,
    stepBytes,
    find(text, from, to) {
      if (to - from > stepBytes) return findInLine(text.subarray(from, from + stepBytes), from);
      // One test of many lines is much faster. It may find what reaches over several, but misses nothing.
      if (!testsLines && !expression.test(text.subarray(from, to))) return undefined;
      for (let at = from; at <= to;) {
        const next = text.indexOf(lineFeed, at);
        const end = next < 0 ? to : Math.min(next, to);
        const match = findInLine(text.subarray(at, end), at);
        if (match !== undefined) return match;
        at = end + 1;
      }
      return undefined;
    },
  };
}

const lineFeed = 10;

/** Returns the reason of the library, without what it adds to the expression for the flags. */
function reasonOf(message: string): string {
  return message.replace(/^error parsing regexp: /, '').replace(/`\(\?[a-z]+\)/, '`');
}
