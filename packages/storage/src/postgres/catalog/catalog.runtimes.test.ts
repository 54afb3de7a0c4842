import { afterAll, beforeAll } from 'vitest';
import { testCatalog } from '@packhouse/hosting/contract';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { migratePostgres } from '@packhouse/base';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { postgresCatalog } from './catalog.ts';
import { postgresCatalogMigrations } from './schema.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

testCatalog('PostgreSQL, two servers in turn', async () => {
  const url = await server.createDatabase();
  const drivers = [0, 1].map(() => openNodePostgres(url, { connections: 4 }));
  const [first = openNodePostgres(url), second = first] = drivers;
  await migratePostgres(first, 'catalog', postgresCatalogMigrations);
  let turn = 0;
  return {
    catalog: (account) => postgresCatalog((turn += 1) % 2 === 0 ? first : second, account),
    close: async () => {
      await Promise.all(drivers.map((driver) => driver.close()));
    },
  };
});
