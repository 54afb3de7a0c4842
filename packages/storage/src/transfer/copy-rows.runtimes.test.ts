import { fc } from '@fast-check/vitest';
import { migrate, type PostgresError, type SqlDriver, type SqlValue } from '@packhouse/base';
import { openNodeSqlite, type NodeSqlite } from '@packhouse/base/node-sqlite';
import type { PackId } from '@packhouse/git';
import { postgresTagMigrations } from '@packhouse/tagging/postgres';
import { tagMigrations } from '@packhouse/tagging/sql';
import { beforeEach, describe, expect, it } from 'vitest';
import { shortenIndex } from '../packs/short-index.ts';
import { postgresPackHolders } from '../postgres/catalog/pack-holders.ts';
import { postgresCatalogMigrations } from '../postgres/catalog/schema.ts';
import { postgresRepoStateMigrations } from '../postgres/repo-state/schema.ts';
import { serverMigrations } from '../postgres/servers/schema.ts';
import { severalDrivers } from '../postgres/several-drivers.test.util.ts';
import { catalogMigrations } from '../sql/catalog/schema.ts';
import { repoStateMigrations } from '../sql/repo-state/schema.ts';
import { copiedTables } from './copied-tables.ts';
import type { CopiedTable, Row } from './copied-table.ts';
import { copyRowsToPostgres, copyRowsToSqlite, OccupiedError } from './copy-rows.ts';

const drivers = severalDrivers(
  {
    'repo-state': postgresRepoStateMigrations,
    catalog: postgresCatalogMigrations,
    tags: postgresTagMigrations,
    servers: serverMigrations,
  },
  // A copy needs both schemas of one release.
  { isExtended: false },
);
const postgres = () => drivers[0];

const show = (): void => undefined;

function newSqlite(): NodeSqlite {
  const sqlite = openNodeSqlite(':memory:');
  migrate(sqlite, 'repo-state', repoStateMigrations);
  migrate(sqlite, 'catalog', catalogMigrations);
  migrate(sqlite, 'tags', tagMigrations);
  return sqlite;
}

/** Texts of all kinds of characters that a text of PostgreSQL can hold; bytes may hold U+0000 too. */
const character = fc.oneof(
  fc.constantFrom('\ufeff', '"', '\\', '{', ',', "'", 'é', '\u{1F600}'),
  fc.string({ maxLength: 3 }),
);
const text = fc.array(character, { maxLength: 6 }).map((parts) => parts.join('').replaceAll('\0', ''));
const textInBytes = fc.tuple(text, text).map((parts) => new TextEncoder().encode(parts.join('\0')));
const bytes = fc.uint8Array({ maxLength: 40 });
const number = fc.nat(Number.MAX_SAFE_INTEGER);
const oid = fc.stringMatching(/^[0-9a-f]{40}$/);

/** Columns whose values are not free. */
const special: Readonly<Record<string, fc.Arbitrary<SqlValue>>> = {
  'repos.erased': fc.constant(0),
  'repos.read_only': fc.nat(1),
  'catalog_repos.read_only': fc.nat(1),
  'catalog_deleted.remembered': fc.nat(1),
  'catalog_deleted.packs': fc.constant('["0123456789abcdef0123456789abcdef"]'),
  'events.held': fc.nat(1),
  'webhooks.active': fc.nat(1),
  'packs.exact': fc.nat(1),
  'packs.retired_at': number,
  'packs.place': fc.constant('rows'),
  'refs.target': fc
    .tuple(oid, fc.integer({ min: 1, max: 4 }), fc.option(oid, { nil: '' }))
    .map((parts) => parts.join('')),
  'pack_files.idx': bytes.map(shortenIndex),
  'catalog_repos.description': textInBytes,
  'tag_records.name': textInBytes,
  'tag_records.folded_name': textInBytes,
  'tag_entries.value': text.map((value) => new TextEncoder().encode(value)),
  'tag_entries.folded_value': text.map((value) => new TextEncoder().encode(value)),
};

/** Columns that refer to rows of other tables, and those tables. */
const owners: Readonly<Record<string, string>> = {
  repo_id: 'repos.id',
  pack_id: 'packs.id',
  'catalog_repos.namespace': 'catalog_namespaces.folded',
  'catalog_tokens.repo_id': 'catalog_repos.id',
  'tag_records.account': 'tag_accounts.id',
  'tag_entries.account': 'tag_accounts.id',
  'tag_places.account': 'tag_accounts.id',
  'tag_entries.record': 'tag_records.record',
};

/** Fills each table with one to three rows. The number `i` of a row makes its keys and references differ. */
function fill(sqlite: SqlDriver, tables: readonly CopiedTable[], seed: number): void {
  for (const [place, table] of tables.entries()) {
    const [count = 1] = fc.sample(fc.integer({ min: 1, max: 3 }), { seed: seed + place, numRuns: 1 });
    for (let i = 0; i < (place < 6 || table.name === 'pack_files' ? 3 : count); i++) {
      const row: Record<string, SqlValue> = {};
      for (const [column, { name, type }] of table.columns.entries()) {
        const qualified = `${table.name}.${name}`;
        const isKey =
          table.key.includes(name) || Object.values(owners).includes(qualified) || owners[qualified] !== undefined;
        const arbitrary = special[qualified] ?? { text, bytea: bytes, int8: number }[type];
        const [value = null] = fc.sample(arbitrary as fc.Arbitrary<SqlValue>, {
          seed: seed + 31 * column + i,
          numRuns: 1,
        });
        if (qualified === 'events.at') row[name] = i;
        else if (name === 'account' && type === 'text')
          row[name] = table.name.endsWith('_accounts') ? `${i}-key` : 'local';
        else if (isKey || owners[name] !== undefined) row[name] = type === 'int8' ? i + 1 : `${'abc'[i]}-key`;
        else if (/^(secret_hash|id|folded|position)$/.test(name))
          row[name] = type === 'int8' ? i + 1 : `${'abc'[i]}-id`;
        else row[name] = value;
      }
      table.intoSqlite(sqlite, row);
    }
  }
}

const contentOf = (sqlite: SqlDriver, tables: readonly CopiedTable[]): unknown =>
  tables.map(({ name, fromSqlite, key, readSqlite = (row: Row) => row }) => [
    name,
    sqlite.all<Row>(`SELECT * FROM (${fromSqlite}) ORDER BY ${key.join(', ')}`).map(readSqlite),
  ]);

let tables: readonly CopiedTable[];
beforeEach(async () => {
  const sqlite = newSqlite();
  tables = await copiedTables(sqlite, postgres(), 'postgres');
  sqlite.close();
  const names = tables.map(({ name }) => `packhouse.${name}`);
  await postgres().rows(`TRUNCATE ${names.join(', ')}, packhouse.pack_holders RESTART IDENTITY CASCADE`);
});

describe('copies of rows', () => {
  it.each([1, 2, 3])('REPO-386: rows of any content come back as they were (seed %i)', async (seed) => {
    const [from, back] = [newSqlite(), newSqlite()];
    fill(from, tables, seed);
    // The rows behind the copied ones were deleted, and their numbers stay used.
    from.run("UPDATE sqlite_sequence SET seq = 99 WHERE name = 'webhook_events'");
    const counts = await copyRowsToPostgres({ sqlite: from, postgres: postgres(), holdsPacks: true, show });
    expect(Object.values(counts).every((count) => count > 0)).toBe(true);
    await copyRowsToSqlite(postgres(), back, show);
    const last = (sqlite: SqlDriver) => sqlite.all("SELECT seq FROM sqlite_sequence WHERE name = 'webhook_events'");
    expect(last(back)).toEqual([{ seq: 99 }]);
    // Events have other numbers, and the same order.
    const withoutNumbers = (sqlite: SqlDriver): unknown =>
      JSON.parse(JSON.stringify(contentOf(sqlite, tables)), (key, value: unknown) => (key === 'sequence' ? 0 : value));
    expect(withoutNumbers(back)).toEqual(withoutNumbers(from));
    const [added] = await postgres().rows<{ id: number }>(
      "INSERT INTO packhouse.tag_accounts (account, tags) VALUES ('new', 0) RETURNING id",
    );
    expect(added?.id).toBeGreaterThan(3);
    from.close();
    back.close();
  });

  it('REPO-123: the last of several holders removes a pack, also after a deletion that is under way', async () => {
    const sqlite = newSqlite();
    const [shared, single, ended] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [PackId, PackId, PackId];
    sqlite.run(
      "INSERT INTO repos VALUES ('fork', 'local', 'n', 'n', 'main', 0, 'ready', 1, NULL, 0, 0, NULL, 0, 0, 0, 0, 0)",
    );
    for (const [position, id] of [shared, single, ended].entries()) {
      sqlite.run(
        `INSERT INTO packs (repo_id, id, position, place, objects, pack_size, idx_size, graph_size, exact)
         VALUES ('fork', ?, ?, 'store', 1, 1, 1, 1, 0)`,
        id,
        position,
      );
    }
    for (const [id, due, packs] of [
      ['deleted', 5, [shared]],
      ['erased', null, [ended]],
    ] as const) {
      sqlite.run(
        `INSERT INTO catalog_deleted (account, id, namespace, folded, jurisdiction, deleted_at, remembered, due, packs)
         VALUES ('local', ?, 'n', ?, 'unrestricted', 1, 0, ?, ?)`,
        id,
        id,
        due,
        JSON.stringify(packs),
      );
    }
    await copyRowsToPostgres({ sqlite, postgres: postgres(), holdsPacks: true, show });
    sqlite.close();
    const holders = postgresPackHolders(postgres(), 'local');
    expect((await holders.release([shared], 'deleted')).unheld).toEqual([]);
    expect((await holders.release([shared, single, ended], 'fork')).unheld).toEqual([shared, single, ended]);
  });

  it('REPO-386, REPO-387: a repeated copy finds each value that differs, and each row that is missing or new', async () => {
    const sqlite = newSqlite();
    fill(sqlite, tables, 7);
    const copy = () => copyRowsToPostgres({ sqlite, postgres: postgres(), holdsPacks: false, show });
    const first = await copy();
    expect(await copy()).toEqual(first);
    for (const { name, columns, key } of tables) {
      const generated = new Set([
        'tag_places.account',
        'tag_accounts.id',
        'tag_records.record',
        'catalog_accounts.account',
      ]);
      const changes = columns
        .filter((column) => !key.includes(column.name) && !generated.has(`${name}.${column.name}`))
        // All of them take half a minute.
        .filter((_, i) => process.env['PACKHOUSE_RUNS'] === 'all' || i % 3 === 0)
        .map((column) => {
          const other = {
            text: `${column.name} || 'x'`,
            bytea: `${column.name} || '\\x00'`,
            int8: `${column.name} - 1`,
          };
          const isFlag = special[`${name}.${column.name}`] !== undefined && column.type === 'int8';
          const isExact = name === 'tag_entries' && column.type === 'bytea';
          const value = isFlag ? `NOT ${column.name}` : isExact ? `${column.name} || 'x'` : other[column.type];
          return `UPDATE packhouse.${name} SET ${column.name} = ${column.name === 'retired_at' ? 'retired_at - 1' : value}`;
        });
      for (const change of [...changes, `DELETE FROM packhouse.${name}`]) {
        const undo = new Error('undone');
        const changed = postgres().transaction(async (session) => {
          await session.rows(change);
          const inside = {
            ...postgres(),
            rows: session.rows,
            transaction: (work: (one: typeof session) => unknown) => work(session),
          };
          const found = await copyRowsToPostgres({ sqlite, postgres: inside as never, holdsPacks: false, show }).catch(
            (error: unknown) => error,
          );
          expect([change, found]).toEqual([change, expect.any(OccupiedError)]);
          throw undo;
        });
        // A foreign key refuses some deletions.
        await expect(changed).rejects.toSatisfy((error) => error === undo || (error as PostgresError).code === '23503');
      }
    }
    sqlite.close();
  }, 60_000);
});
