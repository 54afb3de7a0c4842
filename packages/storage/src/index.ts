export type { SqlDriver, SqlValue } from './sql/driver.ts';
export { migrate, MigrationError, type Migration } from './sql/migrate.ts';
