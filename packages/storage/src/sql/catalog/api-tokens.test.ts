import { migrate } from '@packhouse/base';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { testApiTokens } from '@packhouse/hosting/contract';
import { sqlApiTokens } from './api-tokens.ts';
import { sqlCatalog } from './catalog.ts';
import { catalogMigrations } from './schema.ts';

testApiTokens(
  'SQLite',
  () => {
    const driver = openNodeSqlite(':memory:');
    migrate(driver, 'catalog', catalogMigrations);
    return {
      apiTokens: sqlApiTokens(driver),
      catalog: (account) => sqlCatalog(driver, account),
      close: () => driver.close(),
    };
  },
  { runs: 100 },
);
