import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testTagStore } from '../contract/tag-store.ts';
import type { SqlDriver } from '../sql/driver.ts';
import { limitedDriver } from '../sql/limited-driver.ts';
import { migrate } from '../sql/migrate.ts';
import { openNodeSqlite } from '../sql/node-sqlite.ts';
import { tagMigrations } from './schema.ts';
import { sqlTagStores } from './sql.ts';

testTagStore('SQLite in memory, with the limits of a Durable Object', () => {
  const driver = openNodeSqlite(':memory:');
  migrate(driver, 'tags', tagMigrations);
  return { stores: sqlTagStores(limitedDriver(driver)), close: () => driver.close() };
});

testTagStore('SQLite in a file, two connections in turn', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-tags-'));
  const drivers = [0, 1].map(() => openNodeSqlite(join(folder, 'tags.sqlite')));
  for (const driver of drivers) migrate(driver, 'tags', tagMigrations);
  let turn = 0;
  return {
    stores: (account) => sqlTagStores(drivers[(turn += 1) % 2] as SqlDriver)(account),
    close: () => {
      for (const driver of drivers) driver.close();
      rmSync(folder, { recursive: true });
    },
  };
});
