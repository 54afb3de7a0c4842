import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testMaintainedState, type MaintainedStateFixture } from '../../contract/maintained-state.ts';
import { migrate } from '@packhouse/base';
import { limitedDriver } from '@packhouse/base/testing';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { repoStateMigrations } from './schema.ts';
import { sqlRepoState } from './repo-state.ts';

testMaintainedState('SQLite in memory, within the limits of Durable Objects', () => {
  const database = openNodeSqlite(':memory:');
  const driver = limitedDriver(database);
  migrate(driver, 'repo-state', repoStateMigrations);
  return { open: (id) => sqlRepoState(driver, id), close: () => database.close() };
});

const inFile = (): MaintainedStateFixture => {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-state-'));
  const drivers = Array.from({ length: 3 }, () => openNodeSqlite(join(folder, 'state.sqlite')));
  for (const driver of drivers) migrate(driver, 'repo-state', repoStateMigrations);
  let turn = 0;
  return {
    open: (id) => sqlRepoState(drivers[turn++ % drivers.length] ?? openNodeSqlite(':memory:'), id),
    close: () => {
      for (const driver of drivers) driver.close();
      rmSync(folder, { recursive: true });
    },
  };
};

testMaintainedState('SQLite in a file, three connections in turn', inFile, { large: false });
