import type { SqlDriver } from '@packhouse/base';
import type { CopiedTable, Session } from './copied-table.ts';
import { plainTable } from './plain-table.ts';
import { specialTables } from './special-tables.ts';

/**
 * Tables that are not copied. Those of servers are about one database. `uploads` leads to bytes that are not copied, and
 * `outcomes` is for retries within minutes. Special tables contain the rows of `pack_rows` and `catalog_byte_changes`.
 */
const left: ReadonlySet<string> = new Set([
  'catalog_byte_changes',
  'identity',
  'leases',
  'outcomes',
  'pack_holders',
  'pack_rows',
  'rates',
  'schema_migrations',
  'sqlite_sequence',
  'uploads',
]);

/** Columns that one database has, and that the other one does without. */
const leftColumns: ReadonlySet<string> = new Set(['packs.files_row']);

/** Tables to which others refer, in the order in which they are copied. */
const first = ['repos', 'catalog_namespaces', 'catalog_repos', 'packs', 'tag_accounts', 'tag_records'];

/**
 * Numbers the events of all repositories as SQLite does. Events of one repository keep their order, and others have that of
 * their times.
 */
const eventsInOneOrder = `SELECT row_number() OVER (ORDER BY moment, repo_id COLLATE "C", sequence) AS sequence,
    repo_id, id, at, held::int AS held, size, body, keep_until
  FROM (SELECT *, max(at) OVER (PARTITION BY repo_id ORDER BY sequence) AS moment FROM packhouse.events) AS timed`;

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/**
 * Returns the tables to copy between two databases whose schemas are up to date. A table with the same columns in both
 * needs no rule.
 *
 * @param to The database that is written.
 * @throws {Error} if a table or column has no rule.
 */
export async function copiedTables(
  sqlite: SqlDriver,
  session: Session,
  to: 'sqlite' | 'postgres',
): Promise<readonly CopiedTable[]> {
  const ours = columnsByTable(
    sqlite.all<ColumnRow & { readonly keyPlace: number }>(
      `SELECT t.name AS "table", c.name, c.type, c.pk AS keyPlace FROM sqlite_schema AS t
       JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table' ORDER BY t.name, c.cid`,
    ),
  );
  const theirs = columnsByTable(
    await session.rows<ColumnRow>(
      `SELECT table_name AS "table", column_name AS name, udt_name AS type FROM information_schema.columns
       WHERE table_schema = 'packhouse' AND is_generated = 'NEVER' ORDER BY table_name, ordinal_position`,
    ),
  );
  const special = new Map(specialTables.map((table) => [table.name, table]));
  const names = [...new Set([...ours.keys(), ...theirs.keys()])].filter((name) => !left.has(name)).toSorted();
  const ordered = [...first, ...names.filter((name) => !first.includes(name))];
  return ordered.map((name) => {
    const known = special.get(name);
    if (known !== undefined) return known;
    const [columns, others] = [ours.get(name), theirs.get(name)];
    const types = new Map(others?.map((column) => [column.name, column.type]));
    if (columns === undefined || columns.length !== types.size || columns.some((column) => !types.has(column.name)))
      throw new Error(`There is no rule to copy the table ${name}`);
    const table = plainTable(
      name,
      columns.map((column) => ({ ...column, sqlite: column.type, postgres: types.get(column.name) as string })),
    );
    return name === 'events' && to === 'sqlite' ? { ...table, fromPostgres: eventsInOneOrder } : table;
  });
}

function columnsByTable<Column extends ColumnRow>(columns: readonly Column[]): Map<string, readonly Column[]> {
  const kept = columns.filter(({ table, name }) => !leftColumns.has(`${table}.${name}`));
  return Map.groupBy(kept, ({ table }) => table);
}
