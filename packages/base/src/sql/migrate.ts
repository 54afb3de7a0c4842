import type { SqlDriver } from './driver.ts';

/** One step of a schema. Never change a released step: add a later one that corrects it. */
export interface Migration {
  /** Describes the step. The database records it, so that two histories are not confused. */
  readonly name: string;
  /** Single statements, run in order. */
  readonly statements: readonly string[];
}

/** The database has a newer schema, another history of migrations, or (if it must not change) an older schema or none. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  readonly made: 'newer' | 'older' | 'otherwise' | 'never';

  constructor(made: MigrationError['made'], message: string) {
    super(message);
    this.made = made;
  }

  /** The database must not change, and lacks a migration. */
  static lacks(list: string, { name }: Migration): MigrationError {
    return new MigrationError('older', `The database is older than this version: it lacks ${list}/${name}`);
  }
}

/**
 * Applies the missing migrations of one list, each in its own transaction. Several lists (repo state, catalog) can
 * share one database. Safe to call from several connections at once.
 *
 * @param list name of the list, such as `repo-state`.
 * @throws {MigrationError} if the applied migrations are not the beginning of `migrations`.
 */
export function migrate(driver: SqlDriver, list: string, migrations: readonly Migration[]): void {
  // Durable Object SQL lacks PRAGMA user_version, hence a table.
  driver.run(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       list TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (list, position)
     ) STRICT, WITHOUT ROWID`,
  );
  while (driver.transaction(() => step(driver, list, migrations)));
}

/**
 * Checks that one list of migrations is fully applied. Changes nothing.
 *
 * @throws {MigrationError} if it is not.
 */
export function checkMigrated(driver: SqlDriver, list: string, migrations: readonly Migration[]): void {
  const known = driver.all("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'");
  const next = migrations[known.length === 0 ? 0 : appliedOf(driver, list, migrations)];
  if (next !== undefined) throw MigrationError.lacks(list, next);
}

/** Checks the history and applies the next migration. Returns false if all are applied. */
function step(driver: SqlDriver, list: string, migrations: readonly Migration[]): boolean {
  const position = appliedOf(driver, list, migrations);
  const next = migrations[position];
  if (next === undefined) return false;
  for (const statement of next.statements) driver.run(statement);
  driver.run('INSERT INTO schema_migrations (list, position, name) VALUES (?, ?, ?)', list, position, next.name);
  return true;
}

function appliedOf(driver: SqlDriver, list: string, migrations: readonly Migration[]): number {
  const applied = driver.all<{ name: string }>(
    'SELECT name FROM schema_migrations WHERE list = ? ORDER BY position',
    list,
  );
  return checkHistory(
    list,
    applied.map(({ name }) => name),
    migrations,
  );
}

/**
 * Returns the number of applied migrations.
 *
 * @param applied names that the database recorded, in order.
 * @throws {MigrationError} if they are not the beginning of `migrations`.
 */
export function checkHistory(list: string, applied: readonly string[], migrations: readonly Migration[]): number {
  applied.forEach((name, position) => {
    const expected = migrations[position]?.name;
    if (expected === undefined)
      throw new MigrationError(
        'newer',
        `The database is newer than this version: it has the migration ${list}/${name}`,
      );
    if (expected !== name)
      throw new MigrationError(
        'otherwise',
        `The database has the migration ${list}/${name} where ${expected} was expected`,
      );
  });
  return applied.length;
}
