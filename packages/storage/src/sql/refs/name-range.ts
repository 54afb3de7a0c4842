import { compareBytewise } from '@packhouse/base';
import type { NameRange } from '../../repo-state/read-refs.ts';

/** An SQL condition on the column `name`, with its parameters. */
export interface NameCondition {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** Makes a range instead of LIKE, since names may contain its wildcards, and an index serves the range. */
export function nameCondition({ prefix, after, end }: NameRange): NameCondition {
  const conditions: string[] = [];
  const parameters: string[] = [];
  const add = (condition: string, parameter: string): void => {
    conditions.push(` AND name ${condition} ?`);
    parameters.push(parameter);
  };
  if (after !== undefined && compareBytewise(after, prefix) >= 0) add('>', after);
  else if (prefix !== '') add('>=', prefix);
  const behind = firstBehind(prefix);
  if (behind !== undefined) add('<', behind);
  if (end !== undefined) add('<=', end);
  return { sql: conditions.join(''), parameters };
}

/** Returns the least text that sorts bytewise after all texts with `prefix`, or undefined if no text does. */
export function firstBehind(prefix: string): string | undefined {
  // Loops from the end, since this runs for each new ref, whose name may be long.
  for (let end = prefix.length; end > 0;) {
    const start = isPair(prefix, end - 2) ? end - 2 : end - 1;
    const last = prefix.codePointAt(start) as number;
    // Skip surrogates, which are not characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    if (next <= 0x10ffff) return prefix.slice(0, start) + String.fromCodePoint(next);
    end = start;
  }
  return undefined;
}

/** Tests if a character takes the two units from `at` on. */
function isPair(text: string, at: number): boolean {
  return at >= 0 && (text.codePointAt(at) as number) > 0xffff;
}
