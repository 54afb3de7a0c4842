import { expect, it } from 'vitest';
import { sampleApiToken, testApiTokens } from '@packhouse/hosting/contract';
import type { PostgresDriver } from '@packhouse/base';
import { postgresRepoStateMigrations } from '../repo-state/schema.ts';
import { postgresApiTokens } from './api-tokens.ts';
import { postgresCatalog } from './catalog.ts';
import { postgresCatalogMigrations } from './schema.ts';
import { severalDrivers } from '../several-drivers.test.util.ts';

const drivers = severalDrivers({ 'repo-state': postgresRepoStateMigrations, catalog: postgresCatalogMigrations });

testApiTokens(
  'REPO-397: PostgreSQL, two servers in turn',
  async () => {
    for (const table of ['api_tokens', 'catalog_namespaces']) await drivers[0].rows(`DELETE FROM packhouse.${table}`);
    let turn = 0;
    return {
      apiTokens: (account) => {
        const stores = drivers.map((driver) => postgresApiTokens(driver)(account));
        // Each call goes to another server.
        return new Proxy(stores[0] as (typeof stores)[0], {
          get: (_, name) => Reflect.get(stores[(turn += 1) % 2] as object, name) as unknown,
        });
      },
      catalog: (account) => postgresCatalog(drivers[0], account),
      close: () => undefined,
    };
  },
  { runs: 15 },
);

it('REPO-370: a creation that waits for a revocation of its creator finds it ended', async () => {
  const [first, second] = drivers.map((driver) => postgresApiTokens(driver)('race'));
  await first?.add(sampleApiToken('parent'), { max: 9, history: 9 });
  let later: Promise<string> | undefined;
  await (drivers[0] as PostgresDriver).transaction(async (session) => {
    const inside = { ...drivers[0], transaction: (work) => work(session) } as PostgresDriver;
    await postgresApiTokens(inside)('race').revoke('parent', 20, [{ namespace: null, repo: null }]);
    later = second?.add(sampleApiToken('child', { createdBy: 'parent', createdAt: 20 }), { max: 9, history: 9 });
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await expect.poll(() => drivers[1].rows(waiting)).not.toEqual([]);
  });
  expect(await later).toBe('creator ended');
});
