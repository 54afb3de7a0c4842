import type { PostgresValue, SqlDriver, SqlValue } from '@packhouse/base';

/** A row in the form in which both databases are compared: booleans are 0 and 1, texts that may hold U+0000 are bytes. */
export type Row = Readonly<Record<string, SqlValue>>;

/** A table that is copied between SQLite and PostgreSQL, with a row for a row. */
export interface CopiedTable {
  readonly name: string;
  /** Columns of a row. */
  readonly columns: readonly CopiedColumn[];
  /** Columns that identify a row and order the table, bytewise. */
  readonly key: readonly string[];
  /** Selects these columns from SQLite. */
  readonly fromSqlite: string;
  /** Selects them from PostgreSQL. */
  readonly fromPostgres: string;
  /** Writes a row to SQLite, within a transaction. */
  readonly intoSqlite: (driver: SqlDriver, row: Row) => void;
  /** Inserts rows into PostgreSQL. Its parameters are one array for each column. */
  readonly intoPostgres: string;
  /** Rows in memory at once. */
  readonly rowsAtOnce: number;
  /** Converts a row of `fromSqlite`. Default: the row itself. */
  readonly readSqlite?: (row: Row) => Row;
}

export interface CopiedColumn {
  readonly name: string;
  /** Type of the column in arrays of parameters. */
  readonly type: 'text' | 'bytea' | 'int8';
}

/** Yields the rows of a table of SQLite in its order, in pages. */
export function* sqlitePages(driver: SqlDriver, table: CopiedTable): Generator<readonly Row[], void, undefined> {
  const { key, fromSqlite, rowsAtOnce, readSqlite = (row) => row } = table;
  const [names, marks] = [key.join(', '), key.map(() => '?').join(', ')];
  const select = (condition: string): string =>
    `SELECT * FROM (${fromSqlite}) ${condition} ORDER BY ${names} LIMIT ${rowsAtOnce}`;
  let page = driver.all<Row>(select(''));
  while (page.length > 0) {
    yield page.map(readSqlite);
    const last = page.at(-1) as Row;
    const after = key.map((name) => last[name] as SqlValue);
    page = page.length < rowsAtOnce ? [] : driver.all<Row>(select(`WHERE (${names}) > (${marks})`), ...after);
  }
}

/** The statements of a session of PostgreSQL. */
export interface Session {
  rows<Row>(statement: string, parameters?: readonly PostgresValue[]): Promise<Row[]>;
}

/** Yields the rows of a table of PostgreSQL in its order, in pages. Call it in a transaction, for one table at a time. */
export async function* postgresPages(
  session: Session,
  { columns, key, fromPostgres, rowsAtOnce }: CopiedTable,
): AsyncGenerator<readonly Row[], void, undefined> {
  const order = key.map((name) => {
    const isText = columns.find((column) => column.name === name)?.type === 'text';
    return isText ? `${name} COLLATE "C"` : name;
  });
  await session.rows(
    `DECLARE copied NO SCROLL CURSOR FOR SELECT * FROM (${fromPostgres}) AS source ORDER BY ${order.join(', ')}`,
  );
  for (;;) {
    const page = await session.rows<Row>(`FETCH ${rowsAtOnce} FROM copied`);
    if (page.length === 0) break;
    yield page;
  }
  await session.rows('CLOSE copied');
}

/** Inserts a page of rows. */
export async function insertPage(session: Session, table: CopiedTable, page: readonly Row[]): Promise<void> {
  await session.rows(
    table.intoPostgres,
    table.columns.map(({ name }) => page.map((row) => row[name] as SqlValue)),
  );
}
