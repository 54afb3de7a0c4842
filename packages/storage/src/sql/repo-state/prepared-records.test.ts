import { migrate } from '@packhouse/base';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { limitedDriver } from '@packhouse/base/testing';
import { testPreparedRecords } from '../../contract/prepared-records.ts';
import { sqlPreparedRecords } from './prepared-records.ts';
import { sqlRepoState } from './repo-state.ts';
import { sqlPackReservations } from './reservations.ts';
import { repoStateMigrations } from './schema.ts';

testPreparedRecords('SQLite', (id) => {
  const database = openNodeSqlite(':memory:');
  const driver = limitedDriver(database);
  migrate(driver, 'repo-state', repoStateMigrations);
  return {
    state: sqlRepoState(driver, id),
    reservations: sqlPackReservations(driver, id),
    records: (options) => sqlPreparedRecords(driver, id, options),
    close: () => database.close(),
  };
});
