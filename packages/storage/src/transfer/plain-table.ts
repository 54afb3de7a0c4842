import type { SqlValue } from '@packhouse/base';
import type { CopiedColumn, CopiedTable } from './copied-table.ts';

/** A column of a table that both databases have. */
export interface KnownColumn {
  readonly name: string;
  /** Type in SQLite, such as `TEXT`. */
  readonly sqlite: string;
  /** Type in PostgreSQL, such as `int8`. */
  readonly postgres: string;
  /** Place in the primary key of SQLite, from 1; 0 outside. */
  readonly keyPlace: number;
}

/** Tables with many small rows: at most a few kilobytes each. Rows of others may have a megabyte. */
const small: ReadonlySet<string> = new Set([
  'catalog_tokens',
  'packs',
  'ref_history',
  'refs',
  'repos',
  'retired_tips',
  'shallow',
  'tag_entries',
  'tokens',
  'uploaded_blobs',
]);

export function rowsAtOnceOf(table: string): number {
  return small.has(table) ? 1_000 : 20;
}

/**
 * Makes the copy of a table whose columns are the same in both databases, apart from their types.
 *
 * @throws {Error} for types that have no rule.
 */
export function plainTable(name: string, known: readonly KnownColumn[]): CopiedTable {
  const columns = known.map((column) => ({ name: column.name, type: typeOf(name, column) }));
  const names = columns.map((column) => column.name).join(', ');
  const key = known.filter(({ keyPlace }) => keyPlace > 0).toSorted((a, b) => a.keyPlace - b.keyPlace);
  const marks = known.map((column, i) => (isTextInBytes(column) ? `CAST(?${i + 1} AS TEXT)` : `?${i + 1}`));
  const statement = `INSERT INTO ${name} (${names}) VALUES (${marks.join(', ')})`;
  return {
    name,
    columns,
    key: key.map((column) => column.name),
    fromSqlite: `SELECT ${known.map((one) => (isTextInBytes(one) ? `CAST(${one.name} AS BLOB) AS ${one.name}` : one.name)).join(', ')} FROM ${name}`,
    fromPostgres: `SELECT ${known.map((one) => (one.postgres === 'bool' ? `${one.name}::int AS ${one.name}` : one.name)).join(', ')} FROM packhouse.${name}`,
    intoSqlite: (driver, row) => void driver.run(statement, ...columns.map((column) => row[column.name] as SqlValue)),
    intoPostgres: `INSERT INTO packhouse.${name} (${names}) OVERRIDING SYSTEM VALUE
      SELECT ${known.map((one) => (one.postgres === 'bool' ? `${one.name}::int::bool` : one.name)).join(', ')}
      FROM ${unnested(columns)}`,
    rowsAtOnce: rowsAtOnceOf(name),
  };
}

/** Returns the rows of the parameters of an insertion as a table `added`. */
export function unnested(columns: readonly CopiedColumn[]): string {
  const arrays = columns.map(({ type }, i) => `$${i + 1}::${type}[]`);
  return `unnest(${arrays.join(', ')}) AS added (${columns.map(({ name }) => name).join(', ')})`;
}

/** Tests for a text that may hold U+0000, which PostgreSQL keeps as bytes. */
function isTextInBytes({ sqlite, postgres }: KnownColumn): boolean {
  return sqlite === 'TEXT' && postgres === 'bytea';
}

function typeOf(table: string, { name, sqlite, postgres }: KnownColumn): CopiedColumn['type'] {
  if (sqlite === 'TEXT' && postgres === 'text') return 'text';
  if (postgres === 'bytea' && (sqlite === 'TEXT' || sqlite === 'BLOB')) return 'bytea';
  if (sqlite === 'INTEGER' && ['int8', 'int4', 'bool'].includes(postgres)) return 'int8';
  throw new Error(`There is no rule to copy the column ${table}.${name}`);
}
