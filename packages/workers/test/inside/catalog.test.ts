import { sqlCatalog } from '@packhouse/storage';
import { testCatalog } from '@packhouse/hosting/contract';
import { inside, newDatabase } from './database.ts';

testCatalog('workerd, SQL of a Durable Object', () => {
  const database = newDatabase();
  return { catalog: (account) => inside(database, (driver) => sqlCatalog(driver, account)), close: () => undefined };
});
