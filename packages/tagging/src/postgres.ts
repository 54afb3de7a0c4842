export { postgresTagMigrations } from './stores/postgres/schema.ts';
export { postgresTagStores } from './stores/postgres/stores.ts';
