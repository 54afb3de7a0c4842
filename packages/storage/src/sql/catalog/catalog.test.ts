import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testCatalog } from '@packhouse/hosting/contract';
import { type SqlDriver, type SqlValue, migrate } from '@packhouse/base';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { catalogMigrations } from './schema.ts';
import { sqlCatalog } from './catalog.ts';

testCatalog('SQLite in memory', () => {
  const driver = openNodeSqlite(':memory:');
  migrate(driver, 'catalog', catalogMigrations);
  return { catalog: (account) => sqlCatalog(driver, account), close: () => driver.close() };
});

testCatalog('SQLite in a file, two connections in turn', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-catalog-'));
  const drivers = [0, 1].map(() => openNodeSqlite(join(folder, 'catalog.sqlite')));
  for (const driver of drivers) migrate(driver, 'catalog', catalogMigrations);
  let turn = 0;
  return {
    catalog: (account) => sqlCatalog(drivers[(turn += 1) % 2] as SqlDriver, account),
    close: () => {
      for (const driver of drivers) driver.close();
      rmSync(folder, { recursive: true });
    },
  };
});

it('REPO-275: forks of before know the first repo of their family, as far as it is known', async () => {
  const driver = openNodeSqlite(':memory:');
  const before = catalogMigrations.findIndex(({ name }) => name === 'families of forks');
  migrate(driver, 'catalog', catalogMigrations.slice(0, before));
  await sqlCatalog(driver, 'a1').createNamespace('n', 'eu', 1);
  const parents = { root: null, child: 'root', grandchild: 'child', orphan: 'gone', last: 'orphan' };
  for (const [id, parent] of Object.entries(parents)) {
    driver.run(
      `INSERT INTO catalog_repos VALUES
         ('a1', ?1, 'n', ?1, ?1, NULL, 'main', 0, NULL, 'ready', 1, 1, -1, 0, 0, ?2, 0, NULL)`,
      id,
      parent,
    );
  }
  migrate(driver, 'catalog', catalogMigrations);
  const catalog = sqlCatalog(driver, 'a1');
  const roots = Object.keys(parents).map(async (id) => (await catalog.repoById(id))?.rootId);
  expect(await Promise.all(roots)).toEqual([null, 'root', 'root', 'gone', 'gone']);
  driver.close();
});

it('REPO-094: every query uses an index, and pages by cursor need no sort of the list', async () => {
  const driver = openNodeSqlite(':memory:');
  migrate(driver, 'catalog', catalogMigrations);
  const plans: string[] = [];
  const explaining: SqlDriver = {
    all: <Row>(statement: string, ...parameters: readonly SqlValue[]) => {
      const plan = driver.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, ...parameters);
      plans.push(...plan.map(({ detail }) => detail));
      return driver.all<Row>(statement, ...parameters);
    },
    run: (statement, ...parameters) => driver.run(statement, ...parameters),
    transaction: (work) => driver.transaction(work),
    durable: () => driver.durable(),
  };
  const catalog = sqlCatalog(explaining, 'a1');
  const slices = [{ limit: 5 }, { limit: 5, after: { key: 5, tie: 'x' } }, { limit: 5, offset: 3 }];
  for (const slice of slices) {
    await catalog.namespaces(slice);
    for (const sort of ['created_at', 'updated_at', 'last_push_at', 'name'] as const) {
      for (const direction of ['asc', 'desc'] as const)
        await catalog.repos('n', { search: '', sort, direction }, slice);
    }
  }
  await catalog.namespace('n');
  await catalog.repo('n', 'r');
  await catalog.repoById('r');
  await catalog.tokenRepo('t');
  await catalog.unfinished(5);
  await catalog.unsettled();
  await catalog.settleRepo('r', 1);
  await catalog.dueErasures(5);
  await catalog.deleteRepo('n', 'r', 5, 5);
  await catalog.addToken('r', { id: 't', createdAt: 1, expiresAt: 2 }, 5, 5);
  await catalog.dropTokens(['t']);
  await catalog.storedBytes();
  expect(plans.length).toBeGreaterThan(40);
  expect(plans.filter((detail) => detail.startsWith('SCAN'))).toEqual([]);
  // Only ties may be sorted, since their order does not depend on the direction.
  expect(plans.filter((detail) => detail.includes('TEMP B-TREE') && !/LAST TERM|LAST 1 TERM/.test(detail))).toEqual([]);
  driver.close();
});
