import type { Direction, Slice } from '@packhouse/hosting';
import type { PostgresValue } from '@packhouse/base';
import { searchText } from './texts.ts';

/** A list: rows of a table with the alias `r`, sorted by a column in some direction, ties by another, ascending. */
export interface SortedRows {
  readonly table: string;
  readonly where: string;
  readonly parameters: readonly PostgresValue[];
  readonly column: string;
  readonly direction: Direction;
  readonly tie: string;
}

/** Makes the SQL of the rows of a slice, with the alias `r`, and of their order. */
export function sliceOf(
  { table, where, parameters, column, direction, tie }: SortedRows,
  { limit, after, offset }: Slice,
): { readonly rows: string; readonly order: string; readonly parameters: readonly PostgresValue[] } {
  const order = `ORDER BY ${column} ${direction}, ${tie}`;
  const [first, second, third] = [1, 2, 3].map((number) => `$${parameters.length + number}`);
  const part = (condition: string, rest: string): string =>
    `(SELECT r.* FROM ${table} AS r WHERE ${where}${condition} ${order} LIMIT ${first}${rest})`;
  if (after === undefined)
    return { rows: `${part('', ` OFFSET ${second}`)} AS r`, order, parameters: [...parameters, limit, offset ?? 0] };
  // Reads two index ranges: the rest of the ties, then the rows beyond.
  const type = typeof after.key === 'number' ? 'bigint' : 'text';
  const ties = part(` AND ${column} = ${second}::${type} AND ${tie} > ${third}`, '');
  const beyond = part(` AND ${column} ${direction === 'asc' ? '>' : '<'} ${second}::${type}`, '');
  const key = typeof after.key === 'number' ? after.key : searchText(after.key);
  return {
    rows: `(${ties} UNION ALL ${beyond} ${order.replaceAll('r.', '')} LIMIT ${first}) AS r`,
    order,
    parameters: [...parameters, limit, key, searchText(after.tie)],
  };
}
