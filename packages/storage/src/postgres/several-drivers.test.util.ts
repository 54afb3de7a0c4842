import { migratePostgres, type Migration, type PostgresDriver } from '@packhouse/base';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { extendSchema } from '@packhouse/base/testing';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { afterAll, beforeAll } from 'vitest';

/**
 * Starts PostgreSQL for the tests of a file, with the tables of these lists of migrations. Returns the drivers of
 * several servers on its one database, which are there when the first test begins.
 *
 * @param options.isExtended Extends the tables as a next release may (REPO-397). Default true.
 */
export function severalDrivers(
  lists: Readonly<Record<string, readonly Migration[]>>,
  { count = 2, isExtended = true }: { readonly count?: number; readonly isExtended?: boolean } = {},
): readonly [PostgresDriver, PostgresDriver] {
  const drivers: PostgresDriver[] = [];
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    const url = await server.createDatabase();
    // A busy machine is slow to connect.
    while (drivers.length < count) drivers.push(openNodePostgres(url, { connectTimeout: 30_000 }));
    for (const [list, migrations] of Object.entries(lists))
      await migratePostgres(drivers[0] as PostgresDriver, list, migrations);
    if (isExtended) await extendSchema(drivers[0] as PostgresDriver);
  });
  afterAll(async () => {
    for (const driver of drivers) await driver.close();
    await server.close();
  });
  return drivers as readonly PostgresDriver[] as readonly [PostgresDriver, PostgresDriver];
}
