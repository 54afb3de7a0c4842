import type { SqlDriver } from './driver.ts';

/** One step of a schema. Once released it never changes: a later step corrects it. */
export interface Migration {
  /** Says what the step does; recorded, so that two histories are not mixed up. */
  readonly name: string;
  /** Single statements, run in order. */
  readonly statements: readonly string[];
}

/** The database was made by a newer version, by another list of migrations, or (where nothing may change) an older one. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  readonly made: 'newer' | 'older' | 'otherwise';

  constructor(made: 'newer' | 'older' | 'otherwise', message: string) {
    super(message);
    this.made = made;
  }
}

/**
 * Brings the tables of one list of migrations up to date, each step in a transaction of its own. Several lists (repo
 * state, catalog) live in one database side by side. Safe to call from several connections at once.
 *
 * @param list name of the list, such as `repo-state`.
 * @throws {MigrationError} if what was applied before is not the beginning of `migrations`.
 */
export function migrate(driver: SqlDriver, list: string, migrations: readonly Migration[]): void {
  // A table, not PRAGMA user_version: Durable Object SQL does not have that one.
  driver.run(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       list TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (list, position)
     ) STRICT, WITHOUT ROWID`,
  );
  while (driver.transaction(() => step(driver, list, migrations)));
}

/**
 * Checks that the tables of one list of migrations are up to date, and changes nothing.
 *
 * @throws {MigrationError} if they are not.
 */
export function checkMigrated(driver: SqlDriver, list: string, migrations: readonly Migration[]): void {
  const known = driver.all("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'");
  const next = migrations[known.length === 0 ? 0 : appliedOf(driver, list, migrations)];
  if (next !== undefined)
    throw new MigrationError('older', `The database is older than this version: it lacks ${list}/${next.name}`);
}

/** Checks the record and applies the next migration; false if there is none. */
function step(driver: SqlDriver, list: string, migrations: readonly Migration[]): boolean {
  const position = appliedOf(driver, list, migrations);
  const next = migrations[position];
  if (next === undefined) return false;
  for (const statement of next.statements) driver.run(statement);
  driver.run('INSERT INTO schema_migrations (list, position, name) VALUES (?, ?, ?)', list, position, next.name);
  return true;
}

/** How many migrations were applied; all of them must be the first of `migrations`. */
function appliedOf(driver: SqlDriver, list: string, migrations: readonly Migration[]): number {
  const applied = driver.all<{ name: string }>(
    'SELECT name FROM schema_migrations WHERE list = ? ORDER BY position',
    list,
  );
  applied.forEach(({ name }, position) => {
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
