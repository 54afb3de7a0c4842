import type { SqlValue } from './driver.ts';

/** A statement for what binds parameters in their order alone, as Node does before 22.14. */
export interface PlacedStatement {
  /** With `?` in place of each `?1`, `?2` and so on. */
  readonly text: string;
  /** The value of each `?`. */
  place(parameters: readonly SqlValue[]): readonly SqlValue[];
}

/** Counts as SQLite does: a `?` without a number has the next after the highest before it. No literal may have a `?`. */
export function withoutNumbers(statement: string): PlacedStatement {
  if (!/\?\d/.test(statement)) return { text: statement, place: (parameters) => parameters };
  const places: number[] = [];
  let highest = 0;
  const text = statement.replaceAll(/\?(\d*)/g, (_, digits: string) => {
    const number = digits === '' ? highest + 1 : Number(digits);
    highest = Math.max(highest, number);
    places.push(number - 1);
    return '?';
  });
  return { text, place: (parameters) => places.map((place) => parameters[place] as SqlValue) };
}
