import { runInDurableObject } from 'cloudflare:test';
import { itemTable, testSqlDriver } from '@packhouse/base/contract';
import { testSqlFaults } from '@packhouse/storage/contract';
import { durableObjectSql } from '@packhouse/base/durable-object';
import { expect, it } from 'vitest';
import { newDatabase, within } from './database.ts';

testSqlDriver('workerd, Durable Object', () => {
  const database = newDatabase();
  const begun = within(database, (driver) => driver.run(itemTable));
  return async (work) => {
    await begun;
    return within(database, work);
  };
});

testSqlFaults('workerd, Durable Object', () => {
  const database = newDatabase();
  return async (work) => within(database, work);
});

it('workerd: sees what the object writes without the driver, and the other way round', async () => {
  await runInDurableObject(newDatabase(), (_, { storage }) => {
    const driver = durableObjectSql(storage);
    driver.run('CREATE TABLE note (text TEXT) STRICT');
    driver.transaction(() => storage.sql.exec("INSERT INTO note VALUES ('a')"));
    expect(driver.all('SELECT text FROM note')).toEqual([{ text: 'a' }]);
  });
});
