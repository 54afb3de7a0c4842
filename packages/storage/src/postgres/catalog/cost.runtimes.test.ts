import { afterAll, beforeAll, expect, it } from 'vitest';
import { migratePostgres, type PostgresDriver } from '@packhouse/base';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { measuredDriver, type StatementCost } from '@packhouse/base/testing';
import { sampleNewRepo } from '@packhouse/hosting/contract';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { postgresRepoStateMigrations } from '../repo-state/schema.ts';
import { postgresCatalog } from './catalog.ts';
import { postgresCatalogMigrations } from './schema.ts';

/** One namespace has all of these. */
const repos = 100_000;

let server: PostgresServer;
let driver: PostgresDriver;
beforeAll(async () => {
  server = await startPostgres();
  driver = openNodePostgres(await server.createDatabase());
  await migratePostgres(driver, 'repo-state', postgresRepoStateMigrations);
  await migratePostgres(driver, 'catalog', postgresCatalogMigrations);
  await driver.rows(`INSERT INTO packhouse.catalog_namespaces VALUES ('a1', 'n', 'n', 'eu', ${repos}, 1, 1)`);
  // Half of them were pushed to.
  await driver.rows(
    `INSERT INTO packhouse.catalog_repos
     SELECT 'a1', 'id' || i, 'n', 'name' || i, 'name' || i, NULL, 'main', false, NULL, 'ready', i / 2, i / 2,
       CASE i % 2 WHEN 0 THEN i ELSE -1 END, 5, 2, CASE i % 100 WHEN 0 THEN 'id' || (i - 1) END, NULL, 0, NULL
     FROM generate_series(1, ${repos}) AS i`,
  );
  await driver.rows(
    `INSERT INTO packhouse.catalog_tokens SELECT 'a1', 't' || i, 'id' || i, 1, 2 FROM generate_series(1, ${repos}) AS i`,
  );
  for (const table of ['namespaces', 'repos', 'tokens']) await driver.rows(`ANALYZE packhouse.catalog_${table}`);
});
afterAll(async () => {
  await driver.close();
  await server.close();
});

it('REPO-094: no statement reads all repos, and its cost does not depend on their number', async () => {
  const costs: StatementCost[] = [];
  const catalog = postgresCatalog(
    measuredDriver(driver, (cost) => costs.push(cost)),
    'a1',
  );
  const list = { search: '', sort: 'created_at', direction: 'desc' } as const;
  const slices = [{ limit: 20 }, { limit: 20, after: { key: 25_000, tie: 'id50000' } }];
  for (const slice of slices) {
    for (const sort of ['created_at', 'updated_at', 'last_push_at', 'name'] as const) {
      const key = sort === 'name' ? 'name50' : 25_000;
      const begins = 'after' in slice ? { limit: 20, after: { key, tie: 'id50000' } } : slice;
      // Without a push, thousands of repos are equal, and a list that begins with these sorts their ids.
      const directions = sort === 'last_push_at' ? (['desc'] as const) : (['asc', 'desc'] as const);
      for (const direction of directions) await catalog.repos('n', { ...list, sort, direction }, begins);
    }
    await catalog.namespaces(slice);
  }
  await catalog.repos('n', { ...list, sort: 'last_push_at' }, { limit: 20, after: { key: -1, tie: 'id5' } });
  await catalog.countRepos('n', '');
  await catalog.namespace('n');
  await catalog.repo('n', 'name7');
  await catalog.repoById('id7');
  await catalog.tokenRepo('t7');
  await catalog.unfinished(5);
  await catalog.unsettled();
  await catalog.dueErasures(5);
  await catalog.storedBytes();
  await catalog.touch('id7', { pushedAt: 9, bytes: 9, version: 3 });
  await catalog.addToken('id7', { id: 'x', createdAt: 1, expiresAt: 2 }, 5, 5);
  await catalog.dropTokens(['x']);
  const reserved = sampleNewRepo('new', 'new', { namespace: 'n' });
  await catalog.reserveRepo(reserved, { id: 'y', createdAt: 1, expiresAt: 2 });
  await catalog.renewRepo('new', 8);
  await catalog.publishRepo('new', { defaultBranch: 'main', at: 9, bytes: 1, version: 1 });
  const update = { ...reserved, revision: 0, at: 3, forkSource: 'x', events: [] };
  await catalog.updateRepo('id99', { ...update, name: 'renamed' });
  await catalog.settleRepo('id99', 1);
  await catalog.deleteRepo('n', 'renamed', 5, 5);
  await catalog.deleteNamespace('n', 9);
  expect(costs.length).toBeGreaterThan(35);
  expect(costs.filter(({ scanned }) => scanned.includes('catalog_repos'))).toEqual([]);
  // The table alone has thousands.
  expect(costs.filter(({ blocks }) => blocks > 60)).toEqual([]);
});
