import { testReservations } from '../../contract/reservations.ts';
import { limitedDriver } from '@packhouse/base/testing';
import { migrate } from '@packhouse/base';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { repoStateMigrations } from './schema.ts';
import { sqlPackReservations } from './reservations.ts';
import { sqlRepoState } from './repo-state.ts';

testReservations('SQLite in memory, within the limits of Durable Objects', () => {
  const database = openNodeSqlite(':memory:');
  const driver = limitedDriver(database);
  migrate(driver, 'repo-state', repoStateMigrations);
  return {
    open: (id) => ({ state: sqlRepoState(driver, id), reservations: sqlPackReservations(driver, id) }),
    close: () => database.close(),
  };
});
