import type { PostgresDriver, PostgresSession, SqlDriver } from '@packhouse/base';
import { compareTable, DifferenceError } from './compare-tables.ts';
import { insertPage, postgresPages, sqlitePages, type CopiedTable, type Row, type Session } from './copied-table.ts';
import { copiedTables } from './copied-tables.ts';
import { holdSharedPacks } from './hold-shared-packs.ts';

/** Receives sentences about the progress. */
export type Show = (text: string) => void;

/** The database has rows that do not come from the copy. */
export class OccupiedError extends Error {
  override readonly name = 'OccupiedError';

  constructor() {
    super('The database or the place for packs has other data');
  }
}

export interface RowsToPostgres {
  readonly sqlite: SqlDriver;
  readonly postgres: PostgresDriver;
  /** True if repositories share packs by notes in the database, as in a bucket, and not by links. */
  readonly holdsPacks: boolean;
  readonly show: Show;
}

/** Number of compared rows by table. */
export type RowCounts = Readonly<Record<string, number>>;

/**
 * Copies all rows of SQLite to PostgreSQL, and compares each. The rows appear in one transaction; only the bytes of packs
 * are committed before, so that a repeated copy skips them. Writers of the database wait meanwhile. A copy that finished
 * before is compared.
 *
 * @throws {OccupiedError} if the database has other rows.
 * @throws {DifferenceError} if a row differs.
 */
export async function copyRowsToPostgres({ sqlite, postgres, holdsPacks, show }: RowsToPostgres): Promise<RowCounts> {
  const tables = await copiedTables(sqlite, postgres, 'postgres');
  const others = tables.filter(isCommittedLast);
  if (await isEmpty(postgres, others)) {
    for (const table of tables) if (!others.includes(table)) await copyPackFiles(sqlite, postgres, table, show);
  }
  return postgres.transaction(async (session) => {
    const names = tables.map(({ name }) => `packhouse.${name}`);
    await session.rows(`LOCK TABLE ${names.join(', ')}, packhouse.uploads IN SHARE ROW EXCLUSIVE MODE`);
    const isNew = await isEmpty(session, others);
    if (isNew) {
      for (const table of others) {
        for (const page of shownPages(sqlitePages(sqlite, table), table, show)) await insertPage(session, table, page);
      }
      await continueNumbers(sqlite, session);
      if (holdsPacks) await holdSharedPacks(session);
    }
    const counts = await compareAll(sqlite, session, tables, show).catch((error: unknown) => {
      throw !isNew && error instanceof DifferenceError ? new OccupiedError() : error;
    });
    await demandNoOtherFiles(session);
    show('Counting rows for the planner');
    for (const name of names) await session.rows(`ANALYZE ${name}`);
    return counts;
  }, 'long');
}

/**
 * Copies all rows of PostgreSQL, as of one moment, to an empty database of SQLite, and compares each.
 *
 * @throws {DifferenceError} if a row differs.
 */
export function copyRowsToSqlite(postgres: PostgresDriver, sqlite: SqlDriver, show: Show): Promise<RowCounts> {
  return postgres.transaction(async (session) => {
    const tables = await copiedTables(sqlite, session, 'sqlite');
    for (const table of tables) {
      let count = 0;
      for await (const page of postgresPages(session, table)) {
        show(`Copying ${table.name}: ${(count += page.length)} rows`);
        sqlite.transaction(() => {
          for (const row of page) table.intoSqlite(sqlite, row);
        }, 'lazy');
      }
    }
    for (const { table, last } of await identities(session)) {
      if (!usesNumbers(sqlite, table)) continue;
      sqlite.run('DELETE FROM sqlite_sequence WHERE name = ?', table);
      sqlite.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, last);
    }
    return compareAll(sqlite, session, tables, show);
  }, 'read');
}

/** Tests if PostgreSQL has no rows, apart from bytes of packs of an interrupted copy. */
export async function isEmptyDatabase(sqlite: SqlDriver, postgres: PostgresDriver): Promise<boolean> {
  return isEmpty(postgres, (await copiedTables(sqlite, postgres, 'postgres')).filter(isCommittedLast));
}

/** Tests if the rows of a table appear in the last transaction, which makes the copy visible. */
function isCommittedLast({ name }: CopiedTable): boolean {
  return name !== 'pack_files';
}

async function compareAll(
  sqlite: SqlDriver,
  session: Session,
  tables: readonly CopiedTable[],
  show: Show,
): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    show(`Comparing ${table.name}`);
    counts[table.name] = await compareTable(sqlite, session, table);
  }
  return counts;
}

/** Inserts the bytes of packs that are not there, some in each transaction: they are most of what the rows have. */
async function copyPackFiles(sqlite: SqlDriver, postgres: PostgresDriver, table: CopiedTable, show: Show) {
  for (const page of shownPages(sqlitePages(sqlite, table), table, show)) {
    const ids = page.map((row) => row['pack_id'] as string);
    const repos = page.map((row) => row['repo_id'] as string);
    const known = await postgres.rows<{ key: string }>(
      `SELECT repo_id || ' ' || pack_id AS key FROM packhouse.pack_files
       JOIN unnest($1::text[], $2::text[]) AS wanted (repo_id, pack_id) USING (repo_id, pack_id)`,
      [repos, ids],
    );
    const keys = new Set(known.map(({ key }) => key));
    const missing = page.filter((_, i) => !keys.has(`${repos[i]} ${ids[i]}`));
    if (missing.length > 0) await insertPage(postgres, table, missing);
  }
}

function* shownPages(
  pages: Iterable<readonly Row[]>,
  { name }: CopiedTable,
  show: Show,
): Generator<readonly Row[], void, undefined> {
  let count = 0;
  for (const page of pages) {
    show(`Copying ${name}: ${(count += page.length)} rows`);
    yield page;
  }
}

async function isEmpty(session: Session, tables: readonly CopiedTable[]): Promise<boolean> {
  const found = [...tables.map(({ name }) => name), 'uploads', 'catalog_byte_changes'].map(
    (name) => `EXISTS (SELECT FROM packhouse.${name})`,
  );
  const [row] = await session.rows<{ isEmpty: boolean }>(`SELECT NOT (${found.join(' OR ')}) AS "isEmpty"`);
  return row?.isEmpty === true;
}

/** Bytes of packs that an abandoned copy of another folder left. */
async function demandNoOtherFiles(session: PostgresSession): Promise<void> {
  const others = await session.rows(
    `SELECT FROM packhouse.pack_files AS f
     WHERE NOT EXISTS (SELECT FROM packhouse.packs AS p WHERE p.repo_id = f.repo_id AND p.id = f.pack_id) LIMIT 1`,
  );
  if (others.length > 0) throw new OccupiedError();
}

/** A column whose numbers PostgreSQL gives, and the last one. */
interface Identity {
  readonly table: string;
  readonly name: string;
  readonly last: number;
}

async function identities(session: Session): Promise<readonly Identity[]> {
  const sequence = `pg_get_serial_sequence('packhouse.' || table_name, column_name)`;
  return session.rows<Identity>(
    `SELECT table_name AS "table", column_name AS name, coalesce(pg_sequence_last_value(${sequence}::regclass), 0) AS last
     FROM information_schema.columns WHERE table_schema = 'packhouse' AND is_identity = 'YES'`,
  );
}

/** Makes numbers of new rows begin behind the copied ones, and behind those of rows that SQLite has deleted. */
async function continueNumbers(sqlite: SqlDriver, session: Session): Promise<void> {
  for (const { table, name } of await identities(session)) {
    const [used] = usesNumbers(sqlite, table)
      ? sqlite.all<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', table)
      : [];
    await session.rows(
      `SELECT setval(pg_get_serial_sequence('packhouse.${table}', '${name}'), last) FROM (
         SELECT greatest(max(${name}), $1::int8) AS last FROM packhouse.${table}) AS numbers WHERE last > 0`,
      [used?.seq ?? 0],
    );
  }
}

/** Tests if SQLite gives no number of the table twice, even if its row was deleted. */
function usesNumbers(sqlite: SqlDriver, table: string): boolean {
  const found = sqlite.all(
    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql LIKE '%AUTOINCREMENT%'",
    table,
  );
  return found.length > 0;
}
