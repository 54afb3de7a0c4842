import type { SqlDriver } from '@packhouse/base';
import { StorageError } from '@packhouse/git';
import { restoreIndex, shortenIndex } from '../packs/short-index.ts';
import { rowFileMax } from '../repo-state/change.ts';
import type { CopiedColumn, CopiedTable, Row } from './copied-table.ts';
import { rowsAtOnceOf, unnested } from './plain-table.ts';

/** Tables whose columns differ between the databases. */
export const specialTables: readonly CopiedTable[] = [
  refs(),
  packFiles(),
  catalogAccounts(),
  tagEntries(),
  tagPlaces(),
];

/** SQLite has the target in three columns, PostgreSQL in one, in the form of `formatTarget`. */
function refs(): CopiedTable {
  const columns = columnsOf({ repo_id: 'text', name: 'text', target: 'text' });
  return {
    name: 'refs',
    columns,
    key: ['repo_id', 'name'],
    fromSqlite: "SELECT repo_id, name, oid || kind || coalesce(peeled, '') AS target FROM refs",
    fromPostgres: 'SELECT repo_id, name, target FROM packhouse.refs',
    intoSqlite: inserted(
      `INSERT INTO refs (repo_id, name, oid, kind, peeled)
       VALUES (?1, ?2, substr(?3, 1, 40), CAST(substr(?3, 41, 1) AS INTEGER), nullif(substr(?3, 42), ''))`,
      columns,
    ),
    intoPostgres: `INSERT INTO packhouse.refs (repo_id, name, oid, target)
      SELECT repo_id, name, left(target, 40), target FROM ${unnested(columns)}`,
    rowsAtOnce: rowsAtOnceOf('refs'),
  };
}

/** Files of packs in rows. SQLite has them in one row of `pack_rows`, or in three of `pack_files` if they are large. */
function packFiles(): CopiedTable {
  const columns = columnsOf({ repo_id: 'text', pack_id: 'text', idx: 'bytea', graph: 'bytea', pack: 'bytea' });
  const file = (name: string): string =>
    `(SELECT bytes FROM pack_files AS f WHERE f.repo_id = p.repo_id AND f.pack_id = p.id AND f.file = '${name}')`;
  return {
    name: 'pack_files',
    columns,
    key: ['repo_id', 'pack_id'],
    fromSqlite: `SELECT p.repo_id, p.id AS pack_id, r.idx, coalesce(r.graph, ${file('graph')}) AS graph,
        coalesce(r.pack, ${file('pack')}) AS pack, CASE WHEN r.id IS NULL THEN ${file('idx')} END AS whole_idx
      FROM packs AS p LEFT JOIN pack_rows AS r ON r.id = p.files_row WHERE p.place = 'rows'`,
    readSqlite: readPackFiles,
    fromPostgres: `SELECT repo_id, pack_id, idx, graph, pack FROM packhouse.pack_files AS f
      WHERE EXISTS (SELECT FROM packhouse.packs AS p WHERE p.repo_id = f.repo_id AND p.id = f.pack_id)`,
    intoSqlite: writePackFiles,
    intoPostgres: `INSERT INTO packhouse.pack_files (repo_id, pack_id, idx, graph, pack)
      SELECT * FROM ${unnested(columns)}`,
    rowsAtOnce: 4,
  };
}

/** @throws {StorageError} if a file is missing. */
function readPackFiles({ whole_idx: whole, ...row }: Row): Row {
  const read = whole instanceof Uint8Array ? { ...row, idx: shortenIndex(whole) } : row;
  if (Object.values(read).includes(null)) throw new StorageError(`Pack ${String(row['pack_id'])} lacks a file`);
  return read;
}

function writePackFiles(driver: SqlDriver, { repo_id: repo, pack_id: id, ...row }: Row): void {
  const [idx, graph, pack] = ['idx', 'graph', 'pack'].map((name) => row[name] as Uint8Array) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const whole = restoreIndex(idx);
  if (whole.length + graph.length + pack.length < rowFileMax) {
    const [added] = driver.all<{ id: number }>(
      'INSERT INTO pack_rows (idx, graph, pack) VALUES (?, ?, ?) RETURNING id',
      idx,
      graph,
      pack,
    );
    driver.run('UPDATE packs SET files_row = ? WHERE repo_id = ? AND id = ?', added?.id ?? null, repo ?? '', id ?? '');
    return;
  }
  for (const [name, bytes] of Object.entries({ idx: whole, graph, pack })) {
    const statement = 'INSERT INTO pack_files (repo_id, pack_id, file, bytes) VALUES (?, ?, ?, ?)';
    driver.run(statement, repo ?? '', id ?? '', name, bytes);
  }
}

/** PostgreSQL has changes beside the sums. */
function catalogAccounts(): CopiedTable {
  const columns = columnsOf({ account: 'text', stored_bytes: 'int8' });
  return {
    name: 'catalog_accounts',
    columns,
    key: ['account'],
    fromSqlite: 'SELECT account, stored_bytes FROM catalog_accounts',
    fromPostgres: `SELECT account, sum(bytes)::int8 AS stored_bytes FROM (
        SELECT account, stored_bytes AS bytes FROM packhouse.catalog_accounts
        UNION ALL SELECT account, difference FROM packhouse.catalog_byte_changes) AS parts GROUP BY account`,
    intoSqlite: inserted('INSERT INTO catalog_accounts (account, stored_bytes) VALUES (?, ?)', columns),
    intoPostgres: `INSERT INTO packhouse.catalog_accounts SELECT * FROM ${unnested(columns)}`,
    rowsAtOnce: rowsAtOnceOf('catalog_accounts'),
  };
}

/** Values are bytes here, since drivers of SQLite drop U+FEFF at the start of a text. Places are those of the records. */
function tagEntries(): CopiedTable {
  const columns = columnsOf({
    record: 'int8',
    key: 'text',
    value: 'bytea',
    folded_key: 'text',
    folded_value: 'bytea',
    account: 'int8',
    type: 'text',
  });
  const names = columns.map(({ name }) => name);
  const select = (bytes: (name: string) => string): string =>
    names.map((name) => (name.endsWith('value') ? `${bytes(name)} AS ${name}` : name)).join(', ');
  return {
    name: 'tag_entries',
    columns,
    key: ['record', 'key'],
    fromSqlite: `SELECT ${select((name) => `CAST(${name} AS BLOB)`)} FROM tag_entries`,
    fromPostgres: `SELECT ${select((name) => `convert_to(${name}, 'UTF8')`)} FROM packhouse.tag_entries`,
    intoSqlite: inserted(
      `INSERT INTO tag_entries (${names.join(', ')}, place)
       SELECT ?1, ?2, CAST(?3 AS TEXT), ?4, CAST(?5 AS TEXT), ?6, ?7, place FROM tag_records WHERE record = ?1`,
      columns,
    ),
    intoPostgres: `INSERT INTO packhouse.tag_entries (${names.join(', ')}, place_start)
      SELECT record, key, convert_from(value, 'UTF8'), folded_key, convert_from(folded_value, 'UTF8'), added.account, type,
        place_start
      FROM ${unnested(columns)} JOIN packhouse.tag_records USING (record)`,
    rowsAtOnce: rowsAtOnceOf('tag_entries'),
  };
}

/** SQLite has the number of an account, PostgreSQL its name. */
function tagPlaces(): CopiedTable {
  const columns = columnsOf({ account: 'int8', id: 'text', place: 'bytea', kept_at: 'int8' });
  const accounts = 'JOIN packhouse.tag_accounts AS a ON';
  return {
    name: 'tag_places',
    columns,
    key: ['account', 'id'],
    fromSqlite: 'SELECT account, id, place, kept_at FROM tag_places',
    fromPostgres: `SELECT a.id AS account, p.id, p.place, p.kept_at
      FROM packhouse.tag_places AS p ${accounts} a.account = p.account`,
    intoSqlite: inserted('INSERT INTO tag_places (account, id, place, kept_at) VALUES (?, ?, ?, ?)', columns),
    intoPostgres: `INSERT INTO packhouse.tag_places (account, id, place, kept_at)
      SELECT a.account, added.id, place, kept_at FROM ${unnested(columns)} ${accounts} a.id = added.account`,
    rowsAtOnce: rowsAtOnceOf('tag_places'),
  };
}

function columnsOf(types: Readonly<Record<string, CopiedColumn['type']>>): readonly CopiedColumn[] {
  return Object.entries(types).map(([name, type]) => ({ name, type }));
}

function inserted(statement: string, columns: readonly CopiedColumn[]): CopiedTable['intoSqlite'] {
  return (driver, row) => void driver.run(statement, ...columns.map(({ name }) => row[name] ?? null));
}
