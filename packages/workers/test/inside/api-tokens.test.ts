import { sqlApiTokens, sqlCatalog } from '@packhouse/storage';
import { testApiTokens } from '@packhouse/hosting/contract';
import { inside, newDatabase } from './database.ts';

testApiTokens(
  'workerd, SQL of a Durable Object',
  () => {
    const database = newDatabase();
    return {
      apiTokens: (account) => inside(database, (driver) => sqlApiTokens(driver)(account)),
      catalog: (account) => inside(database, (driver) => sqlCatalog(driver, account)),
      close: () => undefined,
    };
  },
  { runs: 10 },
);
