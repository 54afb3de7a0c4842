import { type Migration, MigrationError, checkHistory } from '../sql/migrate.ts';
import type { PostgresDriver, PostgresSession } from './driver.ts';

/** Number of the advisory lock that migrations take until they commit. Any number will do: these are letters of ASCII. */
const lock = 0x7061636b;

/**
 * Applies the missing migrations of one list in one transaction, in the schema `packhouse`, which it creates. Several
 * lists share the database. Several servers may call it at once. Only reads if nothing is missing.
 *
 * @param list name of the list, such as `repo-state`.
 * @throws {MigrationError} if the applied migrations are not the beginning of `migrations`.
 */
export async function migratePostgres(
  driver: PostgresDriver,
  list: string,
  migrations: readonly Migration[],
): Promise<void> {
  const applied = (await appliedOf(driver, list)) ?? [];
  if (checkHistory(list, applied, migrations) === migrations.length) return;
  await driver.transaction(async (session) => {
    await session.rows(`SELECT pg_advisory_xact_lock(${lock})`);
    await session.rows('CREATE SCHEMA IF NOT EXISTS packhouse');
    await session.rows(
      `CREATE TABLE IF NOT EXISTS packhouse.schema_migrations (
         list text NOT NULL, position int NOT NULL, name text NOT NULL, PRIMARY KEY (list, position)
       )`,
    );
    const start = checkHistory(list, (await appliedOf(session, list)) ?? [], migrations);
    for (const [index, { name, statements }] of migrations.slice(start).entries()) {
      for (const statement of statements) await session.rows(statement);
      await session.rows('INSERT INTO packhouse.schema_migrations (list, position, name) VALUES ($1, $2, $3)', [
        list,
        start + index,
        name,
      ]);
    }
  }, 'long');
}

/**
 * Checks that one list of migrations is fully applied. Changes nothing.
 *
 * @throws {MigrationError} if it is not.
 */
export async function checkPostgresMigrated(
  driver: PostgresDriver,
  list: string,
  migrations: readonly Migration[],
): Promise<void> {
  const applied = await appliedOf(driver, list);
  if (applied === undefined) throw new MigrationError('never', 'The database is empty');
  const next = migrations[checkHistory(list, applied, migrations)];
  if (next !== undefined) throw MigrationError.lacks(list, next);
}

/** Returns undefined if no list of migrations was ever applied. */
async function appliedOf(session: PostgresSession, list: string): Promise<readonly string[] | undefined> {
  const [known] = await session.rows<{ exists: boolean }>(
    "SELECT to_regclass('packhouse.schema_migrations') IS NOT NULL AS exists",
  );
  if (known?.exists !== true) return undefined;
  const rows = await session.rows<{ name: string }>(
    'SELECT name FROM packhouse.schema_migrations WHERE list = $1 ORDER BY position',
    [list],
  );
  return rows.map(({ name }) => name);
}
