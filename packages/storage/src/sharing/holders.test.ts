import { testPackHolders } from '../contract/pack-holders.ts';
import { limitedDriver } from '../sql/limited-driver.ts';
import { migrate } from '../sql/migrate.ts';
import { openNodeSqlite } from '../sql/node-sqlite.ts';
import { memoryPackHolders } from './holders.ts';
import { packHolderMigrations } from './schema.ts';
import { sqlPackHolders } from './sql-holders.ts';

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
