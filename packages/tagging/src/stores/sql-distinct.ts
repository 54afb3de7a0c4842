import type { TagPart, TagSlice } from '../model/tag-store.ts';
import type { SqlDriver, SqlValue } from '@packhouse/base';
import { cut } from './cut.ts';
import { readText, selectText } from './sql-texts.ts';

/** Rows of `tag_entries` whose distinct texts a list needs: an index, and a condition on its first columns. */
export interface DistinctOf {
  /** Column that follows those of the condition in the index. */
  readonly column: 'key' | 'value';
  readonly index: string;
  readonly where: string;
  readonly parameters: readonly SqlValue[];
}

export function keysOf(account: number): DistinctOf {
  return { column: 'key', index: 'tag_entries_by_value', where: 'account = ?1', parameters: [account] };
}

/** Values of one type or (null) all types. */
export function valuesOf(account: number, key: string, type: string | null): DistinctOf {
  if (type === null) {
    const where = 'account = ?1 AND key = ?2';
    return { column: 'value', index: 'tag_entries_by_value', where, parameters: [account, key] };
  }
  const where = 'account = ?1 AND type = ?2 AND key = ?3';
  return { column: 'value', index: 'tag_entries_by_type', where, parameters: [account, type, key] };
}

/**
 * Reads distinct texts of a column. Each search in the index jumps to the next text, so the number of rows with the
 * same text does not matter.
 */
export function distinct(driver: SqlDriver, of: DistinctOf, slice: TagSlice<string>): TagPart<string> {
  const { column, index, where, parameters } = of;
  const [start, count] = [parameters.length + 1, parameters.length + 2];
  const next = (beyond: string): string =>
    `(SELECT ${column} FROM tag_entries INDEXED BY ${index} WHERE ${where} AND ${column} ${beyond} ORDER BY ${column} LIMIT 1)`;
  const rows = driver.all<{ text: string }>(
    `WITH RECURSIVE found (text, number) AS (
       SELECT ${next(`${slice.after === undefined ? '>=' : '>'} ?${start}`)}, 1
       UNION ALL
       SELECT ${next('> found.text')}, number + 1 FROM found WHERE found.text IS NOT NULL AND number < ?${count}
     ) SELECT ${selectText('text')} AS text FROM found WHERE text IS NOT NULL`,
    ...parameters,
    slice.after ?? '',
    slice.limit + 1,
  );
  return cut(
    rows.map(({ text }) => readText(text)),
    slice,
    ({ length }) => length,
  );
}
