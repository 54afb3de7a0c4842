import { migrate } from '@packhouse/base';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { testApiTokens } from '@packhouse/hosting/contract';
import { sqlApiTokens } from './api-tokens.ts';
import { catalogMigrations } from './schema.ts';

testApiTokens(
  'SQLite',
  () => {
    const driver = openNodeSqlite(':memory:');
    migrate(driver, 'catalog', catalogMigrations);
    return { apiTokens: sqlApiTokens(driver), close: () => driver.close() };
  },
  { runs: 100 },
);
