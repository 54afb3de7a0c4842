export type { SqlDriver, SqlValue } from './sql/driver.ts';
export { migrate, MigrationError, type Migration } from './sql/migrate.ts';
export { memoryRepoState } from './repo-state/memory.ts';
export { repoStateMigrations } from './repo-state/schema.ts';
export { sqlRepoState } from './repo-state/sql.ts';
export { memoryCatalogs } from './catalog/memory.ts';
export { catalogMigrations } from './catalog/schema.ts';
export { sqlCatalog } from './catalog/sql.ts';
