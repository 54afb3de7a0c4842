import { afterAll, beforeAll } from 'vitest';
import { migratePostgres } from '@packhouse/base';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { testMaintainedState } from '../../contract/maintained-state.ts';
import { testPreparedRecords } from '../../contract/prepared-records.ts';
import { testReservations } from '../../contract/reservations.ts';
import { postgresRepoStateMigrations } from './schema.ts';
import { postgresRepoState } from './repo-state.ts';
import { postgresPreparedRecords } from './prepared-records.ts';
import { postgresPackReservations } from './reservations.ts';

let server: PostgresServer;
/** One for all tests, since each makes new repositories. */
let url: string;

beforeAll(async () => {
  server = await startPostgres();
  url = await server.createDatabase();
  const driver = openNodePostgres(url);
  await migratePostgres(driver, 'repo-state', postgresRepoStateMigrations);
  await driver.close();
});

afterAll(() => server.close());

/** Two servers in turn. */
function open() {
  const drivers = [openNodePostgres(url), openNodePostgres(url)] as const;
  let turn = 0;
  return {
    driver: () => drivers[turn++ % 2 === 0 ? 0 : 1],
    close: async () => {
      await Promise.all(drivers.map((driver) => driver.close()));
    },
  };
}

testMaintainedState('PostgreSQL, two servers in turn', () => {
  const { driver, close } = open();
  return { open: (id) => postgresRepoState(driver(), id), close };
});

testReservations('PostgreSQL', () => {
  const { driver, close } = open();
  return {
    open: (id) => ({ state: postgresRepoState(driver(), id), reservations: postgresPackReservations(driver(), id) }),
    close,
  };
});

testPreparedRecords(
  'PostgreSQL',
  (id) => {
    const { driver, close } = open();
    return {
      state: postgresRepoState(driver(), id),
      reservations: postgresPackReservations(driver(), id),
      records: (options) => postgresPreparedRecords(driver(), id, options),
      close,
    };
  },
  { runs: 10 },
);
