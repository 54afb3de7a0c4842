import { sqlTagStores } from '@packhouse/storage';
import { testTagStore } from '@packhouse/storage/contract';
import { inside, newDatabase } from './database.ts';

testTagStore('workerd, SQL of a Durable Object', () => {
  const database = newDatabase();
  return { stores: (account) => inside(database, (driver) => sqlTagStores(driver)(account)), close: () => undefined };
});
