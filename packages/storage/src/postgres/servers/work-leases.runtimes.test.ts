import { migratePostgres, type PostgresDriver } from '@packhouse/base';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import type { WorkStorage } from '@packhouse/hosting';
import { testWorkLeases } from '@packhouse/hosting/contract';
import { runs } from '@packhouse/fixtures';
import { afterAll, beforeAll } from 'vitest';
import { postgresCatalog } from '../catalog/catalog.ts';
import { postgresCatalogMigrations } from '../catalog/schema.ts';
import { memoryRepos } from '../../memory/storage.ts';
import { serverMigrations } from './schema.ts';
import { postgresWorkLeases } from './work-leases.ts';

let server: PostgresServer;
let drivers: readonly PostgresDriver[];

beforeAll(async () => {
  server = await startPostgres();
  const url = await server.createDatabase();
  drivers = [openNodePostgres(url), openNodePostgres(url), openNodePostgres(url)];
  const [driver] = drivers as [PostgresDriver];
  await migratePostgres(driver, 'catalog', postgresCatalogMigrations);
  await migratePostgres(driver, 'servers', serverMigrations);
});
afterAll(async () => {
  for (const driver of drivers) await driver.close();
  await server.close();
});

testWorkLeases(
  'PostgreSQL',
  async () => {
    const [driver] = drivers as [PostgresDriver];
    await driver.rows('DELETE FROM packhouse.leases');
    await driver.rows('DELETE FROM packhouse.catalog_namespaces');
    const open = (under: PostgresDriver): WorkStorage => ({
      catalog: (account) => postgresCatalog(under, account),
      repos: memoryRepos(),
    });
    let opened = 0;
    return {
      open: () => postgresWorkLeases(drivers[opened++ % drivers.length] as PostgresDriver, open),
      storage: open(driver),
      pass: async (milliseconds) => {
        await driver.rows(`UPDATE packhouse.leases SET expires = expires - $1 * interval '1 millisecond'`, [
          milliseconds,
        ]);
      },
      close: async () => {},
    };
  },
  { runs: runs(150) },
);
