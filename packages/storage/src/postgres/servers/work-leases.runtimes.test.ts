import type { PostgresDriver } from '@packhouse/base';
import type { WorkStorage } from '@packhouse/hosting';
import { testWorkLeases } from '@packhouse/hosting/contract';
import { runs } from '@packhouse/fixtures';
import { postgresCatalog } from '../catalog/catalog.ts';
import { postgresCatalogMigrations } from '../catalog/schema.ts';
import { memoryRepos } from '../../memory/storage.ts';
import { serverMigrations } from './schema.ts';
import { postgresWorkLeases } from './work-leases.ts';
import { severalDrivers } from '../several-drivers.test.util.ts';

const drivers = severalDrivers({ catalog: postgresCatalogMigrations, servers: serverMigrations }, { count: 3 });

testWorkLeases(
  'REPO-397: PostgreSQL',
  async () => {
    const [driver] = drivers;
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
