export { postgresCatalog } from './postgres/catalog/catalog.ts';
export { postgresCatalogMigrations } from './postgres/catalog/schema.ts';
export { postgresRates } from './postgres/servers/rates.ts';
export { serverMigrations } from './postgres/servers/schema.ts';
export { postgresWorkLeases } from './postgres/servers/work-leases.ts';
