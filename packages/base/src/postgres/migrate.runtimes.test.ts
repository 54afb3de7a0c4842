import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import type { PostgresDriver } from './driver.ts';
import { checkPostgresMigrated, migratePostgres } from './migrate.ts';
import { openNodePostgres } from './node-postgres.ts';

let server: PostgresServer;
let drivers: PostgresDriver[];

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.close());

beforeEach(async () => {
  const url = await server.createDatabase();
  drivers = Array.from({ length: 8 }, () => openNodePostgres(url, { connections: 1 }));
});

afterEach(async () => {
  await Promise.all(drivers.map((driver) => driver.close()));
});

const first = {
  name: 'one',
  statements: ['CREATE TABLE packhouse.one (a int)', 'INSERT INTO packhouse.one VALUES (1)'],
};
const second = { name: 'two', statements: ['INSERT INTO packhouse.one VALUES (2)'] };
const bad = { name: 'bad', statements: ['INSERT INTO packhouse.one VALUES (9)', 'nonsense'] };
const driver = () => drivers[0] as PostgresDriver;
const rows = async () =>
  (await driver().rows<{ a: number }>('SELECT a FROM packhouse.one ORDER BY a')).map(({ a }) => a);

it('REPO-323: applies each step once, even if eight servers start at once', async () => {
  await Promise.all(drivers.map((each) => migratePostgres(each, 'x', [first])));
  await Promise.all(drivers.map((each) => migratePostgres(each, 'x', [first, second])));
  await migratePostgres(driver(), 'y', [{ name: 'one', statements: ['INSERT INTO packhouse.one VALUES (3)'] }]);
  expect(await rows()).toEqual([1, 2, 3]);
});

it('rolls back a step that fails', async () => {
  await migratePostgres(driver(), 'x', [first]);
  await expect(migratePostgres(driver(), 'x', [first, bad])).rejects.toThrow('42601');
  await migratePostgres(driver(), 'x', [first, second]);
  expect(await rows()).toEqual([1, 2]);
});

it('REPO-323: rejects a database that is empty, newer, older, or has another history', async () => {
  await expect(checkPostgresMigrated(driver(), 'x', [first])).rejects.toMatchObject({ made: 'never' });
  await migratePostgres(driver(), 'y', [{ name: 'one', statements: [] }]);
  await expect(checkPostgresMigrated(driver(), 'x', [first])).rejects.toMatchObject({ made: 'older' });
  await migratePostgres(driver(), 'x', [first, second]);
  await checkPostgresMigrated(driver(), 'x', [first, second]);
  await expect(migratePostgres(driver(), 'x', [first])).rejects.toMatchObject({ made: 'newer' });
  const other = [first, { name: 'other', statements: [] }];
  await expect(migratePostgres(driver(), 'x', other)).rejects.toMatchObject({ made: 'otherwise' });
});
