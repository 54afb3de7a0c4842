import type { SqlDriver } from '@packhouse/base';

/** Whether an object was written to before. One that was only asked for keeps nothing, and so costs nothing. */
export function hasTables(driver: SqlDriver): boolean {
  return driver.all("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'").length > 0;
}
