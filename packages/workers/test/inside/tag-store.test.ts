import { sqlTagStores } from '@packhouse/tagging/sql';
import { testTagStore } from '@packhouse/tagging/contract';
import { inside, newDatabase } from './database.ts';

testTagStore('workerd, SQL of a Durable Object', () => {
  const database = newDatabase();
  return { stores: (account) => inside(database, (driver) => sqlTagStores(driver)(account)), close: () => undefined };
});
