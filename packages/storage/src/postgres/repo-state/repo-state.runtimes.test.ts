import { afterAll, beforeAll, expect, it } from 'vitest';
import { migratePostgres } from '@packhouse/base';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { extendSchema } from '@packhouse/base/testing';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { testCollision, testShallowRepository } from '@packhouse/git/contract';
import {
  change,
  sampleEvent,
  sampleHead,
  samplePack,
  sampleRepoId,
  sampleToken,
  update,
} from '@packhouse/hosting/contract';
import { testMaintainedState } from '../../contract/maintained-state.ts';
import { testPreparedRecords } from '../../contract/prepared-records.ts';
import { testReservations } from '../../contract/reservations.ts';
import { memoryPackStore } from '../../memory/packs.ts';
import { postgresStorageCounts } from './counts.ts';
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
  await extendSchema(driver);
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

testMaintainedState('REPO-397: PostgreSQL, two servers in turn', () => {
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

/** An empty repository whose packs are in memory. */
async function emptyRepository() {
  const { driver, close } = open();
  const id = sampleRepoId();
  const state = postgresRepoState(driver(), id);
  await state.begin(sampleHead(id), sampleToken('t1'));
  return { repository: { state, packs: memoryPackStore() }, close };
}

testCollision('PostgreSQL', emptyRepository);
testShallowRepository('PostgreSQL', emptyRepository);

it('counts repositories, packs, due maintenance and waiting events', async () => {
  const driver = openNodePostgres(await server.createDatabase());
  await migratePostgres(driver, 'repo-state', postgresRepoStateMigrations);
  for (const id of ['r1', 'r2', 'r3']) await postgresRepoState(driver, id).begin(sampleHead(id), sampleToken('t1'));
  const event = sampleEvent('e1');
  const push = change([{ ...update('refs/heads/a', null, 1), event }], { at: 5_000, addPacks: [samplePack()] });
  await postgresRepoState(driver, 'r1').commit(push);
  await postgresRepoState(driver, 'r2').erase();
  const counts = { repositories: 2, packs: 1, packBytes: 1_450, maintenanceDue: 1, eventsWaiting: 1 };
  expect(await postgresStorageCounts(driver, 5_000)).toEqual(counts);
  expect(await postgresStorageCounts(driver, 4_999)).toEqual({ ...counts, maintenanceDue: 0 });
  await driver.close();
});
