import type { SqlValue } from './driver.ts';

/** A statement for drivers that bind parameters only by position, as Node does before 22.14. */
export interface PlacedStatement {
  /** The statement, with `?` for each `?1`, `?2` and so on. */
  readonly text: string;
  /** Returns the value of each `?`. */
  place(parameters: readonly SqlValue[]): readonly SqlValue[];
}

/**
 * Numbers parameters as SQLite does: a `?` without a number gets the next one after the highest so far. No literal may
 * contain `?`.
 */
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
