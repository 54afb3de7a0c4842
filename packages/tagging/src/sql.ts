export { tagMigrations } from './stores/schema.ts';
export { sqlTagStores } from './stores/sql.ts';
