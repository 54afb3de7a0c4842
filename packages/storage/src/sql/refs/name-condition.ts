import { nameBounds } from '../../repo-state/name-range.ts';
import type { NameRange } from '../../repo-state/read-refs.ts';

/** An SQL condition on the column `name`, with its parameters. */
export interface NameCondition {
  readonly sql: string;
  readonly parameters: readonly string[];
}

export function nameCondition(range: NameRange): NameCondition {
  const bounds = nameBounds(range);
  return {
    sql: bounds.map(({ operator }) => ` AND name ${operator} ?`).join(''),
    parameters: bounds.map(({ text }) => text),
  };
}
