import { testPackHolders } from '../../contract/pack-holders.ts';
import { limitedDriver } from '@packhouse/base/testing';
import { migrate } from '@packhouse/base';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { memoryPackHolders } from '../../packs/holders.ts';
import { packHolderMigrations, sqlPackHolders } from './pack-holders.ts';

testPackHolders('memory', () => {
  const holders = memoryPackHolders();
  return { open: () => holders, close: () => undefined };
});

testPackHolders('SQLite in memory, within the limits of Durable Objects', () => {
  const database = openNodeSqlite(':memory:');
  const driver = limitedDriver(database);
  migrate(driver, 'pack-holders', packHolderMigrations);
  return { open: () => sqlPackHolders(driver), close: () => database.close() };
});
