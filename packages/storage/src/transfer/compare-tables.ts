import type { SqlDriver } from '@packhouse/base';
import { postgresPages, sqlitePages, type CopiedTable, type Row, type Session } from './copied-table.ts';

/** Two databases have different rows. */
export class DifferenceError extends Error {
  override readonly name = 'DifferenceError';

  /** @param place Number of the first row that differs, in the order of the table. A row may be secret. */
  constructor(table: string, place: number) {
    super(`Row ${place} of the table ${table} differs`);
  }
}

/**
 * Compares each row of a table in both databases. Returns their number.
 *
 * @throws {DifferenceError}
 */
export async function compareTable(sqlite: SqlDriver, session: Session, table: CopiedTable): Promise<number> {
  const ours = sqlitePages(sqlite, table);
  let count = 0;
  for await (const page of postgresPages(session, table)) {
    // Both yield pages of the same length until the last one.
    const next = ours.next().value ?? [];
    for (let i = 0; i < Math.max(page.length, next.length); i++) {
      count += 1;
      if (!isSame(table, page[i], next[i])) throw new DifferenceError(table.name, count);
    }
  }
  if (ours.next().done !== true) throw new DifferenceError(table.name, count + 1);
  return count;
}

function isSame({ columns }: CopiedTable, one: Row | undefined, other: Row | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return columns.every(({ name }) => {
    const [a, b] = [one[name], other[name]];
    if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0;
    return a === b;
  });
}
