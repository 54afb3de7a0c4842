import { compareBytewise } from './byte-order.ts';
import type { NameRange } from './read-refs.ts';

/** A condition of SQL on the column `name`, with its parameters. */
export interface NameCondition {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** A range, not LIKE: names may hold its wildcards, and an index serves the range. */
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

/** The least text that sorts bytewise behind all that start with `prefix`; undefined: there is none. */
function firstBehind(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    // Surrogates are no characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    if (next <= 0x10ffff) return String.fromCodePoint(...points, next);
  }
  return undefined;
}
