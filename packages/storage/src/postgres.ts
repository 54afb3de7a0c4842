export { postgresRates } from './postgres/servers/rates.ts';
export { serverMigrations } from './postgres/servers/schema.ts';
export { postgresWorkLeases } from './postgres/servers/work-leases.ts';
