import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { sampleApiToken, sampleNewRepo, sampleWebhook, testCatalog } from '@packhouse/hosting/contract';
import type { PostgresDriver } from '@packhouse/base';
import type { Catalog, NewRepo } from '@packhouse/hosting';
import { postgresApiTokens } from './api-tokens.ts';
import { postgresCatalog } from './catalog.ts';
import { postgresCatalogMigrations } from './schema.ts';
import { postgresRepoStateMigrations } from '../repo-state/schema.ts';
import { postgresNamespaceWebhooks } from '../webhooks/webhook-list.ts';
import { severalDrivers } from '../several-drivers.test.util.ts';

const drivers = severalDrivers({ 'repo-state': postgresRepoStateMigrations, catalog: postgresCatalogMigrations });

testCatalog('REPO-397: PostgreSQL, two servers in turn', async () => {
  for (const table of ['deleted', 'repos', 'namespaces', 'accounts', 'byte_changes'])
    await drivers[0].rows(`DELETE FROM packhouse.catalog_${table}`);
  let turn = 0;
  return {
    catalog: (account) => postgresCatalog(drivers[(turn += 1) % 2] as PostgresDriver, account),
    close: () => undefined,
  };
});

describe('catalogs of two servers on one PostgreSQL', () => {
  let accounts = 0;
  const accountNow = (): string => `race${accounts - 1}`;
  /** Opens the catalog of a new account on each server. */
  const pair = (): readonly [Catalog, Catalog] => {
    const account = `race${accounts++}`;
    return [postgresCatalog(drivers[0], account), postgresCatalog(drivers[1], account)];
  };
  const newRepo = (id: string, name = id, more: Partial<NewRepo> = {}): NewRepo =>
    sampleNewRepo(id, name, { namespace: 'n', ...more });
  const token = (id: string, expiresAt = 9) => ({ id, createdAt: 1, expiresAt });
  const add = async (catalog: Catalog, id: string): Promise<void> => {
    await catalog.reserveRepo(newRepo(id), token(`t-${id}`));
    await catalog.publishRepo(id);
  };
  const rename = (catalog: Catalog, id: string, name: string) =>
    catalog.updateRepo(id, {
      name,
      description: null,
      defaultBranch: 'main',
      readOnly: false,
      revision: 0,
      at: 2,
      forkSource: `repos:n/${name}`,
      events: [],
    });
  const all = { search: '', sort: 'name', direction: 'asc' } as const;
  const eight = Array.from({ length: 8 }, (_, index) => index);
  const each = <T>(catalogs: readonly [Catalog, Catalog], act: (catalog: Catalog, index: number) => Promise<T>) =>
    Promise.all(eight.map((index) => act(catalogs[index % 2] as Catalog, index)));

  it('REPO-112, REPO-106: one of eight reservations of a name succeeds, and the namespace counts it once', async () => {
    const catalogs = pair();
    const outcomes = await each(catalogs, (catalog, index) =>
      catalog.reserveRepo(newRepo(`r${index}`, index % 2 === 0 ? 'same' : 'SAME'), token(`t${index}`)),
    );
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual([...eight.slice(1).map(() => 'exists'), 'reserved']);
    expect(await catalogs[0].namespace('n')).toMatchObject({ repoCount: 1 });
    expect(await catalogs[0].repos('n', all, { limit: 9 })).toHaveLength(1);
  });

  /** Runs `first` in a transaction that ends only when `second` waits for it. */
  const overlapping = async <A, B>(
    first: (catalog: Catalog, driver: PostgresDriver) => Promise<A>,
    second: () => Promise<B>,
  ): Promise<[A, B]> => {
    let later: Promise<B> | undefined;
    const earlier = await drivers[1].transaction(async (session) => {
      const inside: PostgresDriver = {
        ...drivers[1],
        rows: session.rows.bind(session),
        transaction: (work) => work(session),
      };
      const result = await first(postgresCatalog(inside, accountNow()), inside);
      later = second();
      const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
      await expect.poll(() => drivers[0].rows(waiting)).not.toEqual([]);
      return result;
    });
    return [earlier, await (later as Promise<B>)];
  };

  it('REPO-105: a namespace in which a repo is reserved meanwhile is not deleted, nor the repo lost', async () => {
    const [catalog] = pair();
    await catalog.createNamespace('n', 'eu', 1);
    expect(
      await overlapping(
        async (inside) => (await inside.reserveRepo(newRepo('r1'), token('t1'))).kind,
        () => catalog.deleteNamespace('n', 9),
      ),
    ).toEqual(['reserved', 'not empty']);
    await catalog.deleteRepo('n', 'r1', 5, 0);
    expect(
      await overlapping(
        (inside) => inside.deleteNamespace('n', 9),
        async () => (await catalog.reserveRepo(newRepo('r2'), token('t2'))).kind,
      ),
    ).toEqual(['deleted', 'reserved']);
    expect(await catalog.namespace('n')).toMatchObject({ repoCount: 1, jurisdiction: 'unrestricted' });
  });

  it('REPO-372, REPO-375: the deletion of a namespace ends tokens and webhooks that are added to it meanwhile', async () => {
    const [catalog] = pair();
    const [account, tokens] = [accountNow(), postgresApiTokens(drivers[0])(accountNow())];
    await catalog.createNamespace('n', 'eu', 1);
    const sample = sampleApiToken('late', { namespace: 'n' });
    const added = await overlapping(
      (_, driver) => postgresApiTokens(driver)(account).add(sample, { max: 9, history: 9 }),
      () => catalog.deleteNamespace('n', 20),
    );
    expect([...added, (await tokens.find(sample.secretHash))?.revokedAt]).toEqual(['added', 'deleted', 20]);

    await catalog.createNamespace('n', 'eu', 30);
    const webhooks = (driver: PostgresDriver) => postgresNamespaceWebhooks(driver, account, 'n', () => undefined);
    expect(
      await overlapping(
        (_, driver) => webhooks(driver).addWebhook(sampleWebhook('late'), 9),
        () => catalog.deleteNamespace('n', 40),
      ),
    ).toEqual([true, 'deleted']);
    expect(await webhooks(drivers[0]).webhooks()).toEqual([]);
  });

  it('LIM-100: the last webhook of a namespace is added once', async () => {
    const [catalog] = pair();
    await catalog.createNamespace('n', 'eu', 1);
    const account = accountNow();
    const webhooks = (driver: PostgresDriver) => postgresNamespaceWebhooks(driver, account, 'n', () => undefined);
    expect(
      await overlapping(
        (_, driver) => webhooks(driver).addWebhook(sampleWebhook('one'), 1),
        () => webhooks(drivers[0]).addWebhook(sampleWebhook('two'), 1),
      ),
    ).toEqual([true, false]);
    expect((await webhooks(drivers[0]).webhooks()).map(({ id }) => id)).toEqual(['one']);
  });

  it('REPO-106, LIM-012: repos that several callers delete and push to leave the namespace empty, without bytes', async () => {
    const catalogs = pair();
    for (const index of eight) await add(catalogs[0], `r${index}`);
    const outcomes = await each(catalogs, async (catalog, index) => {
      const pushed = catalog.touch(`r${index}`, { pushedAt: 5, bytes: 7, version: 3 });
      const kinds = await Promise.all(catalogs.map(async (one) => (await one.deleteRepo('n', `r${index}`, 6, 0)).kind));
      await pushed;
      return kinds.toSorted();
    });
    expect(outcomes).toEqual(eight.map(() => ['deleted', 'remembered']));
    expect(await catalogs[0].storedBytes()).toBe(0);
    expect(await catalogs[0].deleteNamespace('n', 9)).toBe('deleted');
  });

  it('REPO-238: two repos that exchange names, or take one name, keep different names', async () => {
    const catalogs = pair();
    for (const index of eight) await add(catalogs[0], `r${index}`);
    const outcomes = await each(catalogs, (catalog, index) =>
      rename(catalog, `r${index}`, index < 4 ? 'new' : `r${7 - index}`),
    );
    expect(outcomes.slice(0, 4).filter(({ kind }) => kind === 'updated')).toHaveLength(1);
    const names = (await catalogs[1].repos('n', all, { limit: 9 })).map(({ name }) => name);
    expect(new Set(names).size).toBe(8);
  });

  it('REPO-238: one of eight updates of a revision succeeds', async () => {
    const catalogs = pair();
    await add(catalogs[0], 'r');
    const outcomes = await each(catalogs, (catalog, index) => rename(catalog, 'r', `name${index}`));
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual([...eight.slice(1).map(() => 'stale'), 'updated']);
  });

  it('REPO-057, LIM-012: pushes at once leave the size of the newest, and its account the sum', async () => {
    const catalogs = pair();
    for (const id of ['r', 's']) await add(catalogs[0], id);
    for (let round = 0; round < 10; round++) {
      await each(catalogs, (catalog, index) => {
        const version = 2 + 4 * round + (index >> 1);
        return catalog.touch(index % 2 === 0 ? 'r' : 's', { pushedAt: version, bytes: version * 10, version });
      });
      const version = 5 + 4 * round;
      expect(await catalogs[1].storedBytes()).toBe(20 * version);
      expect(await catalogs[0].repoById('r')).toMatchObject({ version, lastPushAt: version });
    }
  });

  it('LIM-012: the changes of accounts that push in turn are added up now and then', async () => {
    const [one, other] = [pair()[0], pair()[0]];
    for (const catalog of [one, other]) await add(catalog, 'r');
    for (let version = 3; version < 250; version++)
      for (const catalog of [one, other]) await catalog.touch('r', { pushedAt: 1, bytes: version, version });
    const names = [2, 1].map((back) => `race${accounts - back}`);
    const summed = await drivers[0].rows('SELECT 1 FROM packhouse.catalog_accounts WHERE account = ANY ($1)', [names]);
    expect(summed).toHaveLength(2);
    expect([await one.storedBytes(), await other.storedBytes()]).toEqual([249, 249]);
  });

  it('a push waits for no lock of its namespace or account', async () => {
    const [catalog] = pair();
    await add(catalog, 'r');
    await drivers[1].transaction(async (session) => {
      await session.rows('SELECT 1 FROM packhouse.catalog_namespaces FOR UPDATE');
      await session.rows('LOCK TABLE packhouse.catalog_accounts IN ROW EXCLUSIVE MODE');
      await session.rows('SELECT 1 FROM packhouse.catalog_accounts FOR UPDATE');
      await catalog.touch('r', { pushedAt: 5, bytes: 7, version: 3 });
    });
    expect(await catalog.storedBytes()).toBe(7);
  });

  it('TOKEN-011: tokens that are added at once leave only the newest expired ones', async () => {
    const catalogs = pair();
    await add(catalogs[0], 'r');
    await each(catalogs, (catalog, index) =>
      catalog.addToken('r', { ...token(`x${index}`, 5), createdAt: index }, 6, 3),
    );
    const found = await Promise.all(eight.map((index) => catalogs[0].tokenRepo(`x${index}`)));
    expect(found.map((repo) => repo?.id)).toEqual([...eight.slice(3).map(() => undefined), 'r', 'r', 'r']);
  });

  it('TOKEN-013: a token that is added while its repo is deleted does not outlive it', async () => {
    const catalogs = pair();
    for (const index of eight.slice(0, 4)) {
      await add(catalogs[0], `r${index}`);
      const [added] = await Promise.all([
        catalogs[0].addToken(`r${index}`, token(`x${index}`), 6, 3),
        catalogs[1].deleteRepo('n', `r${index}`, 5, 0),
      ]);
      expect(typeof added).toBe('boolean');
      expect(await catalogs[0].tokenRepo(`x${index}`)).toBeUndefined();
    }
  });

  const step = fc.record({
    does: fc.constantFrom('reserve', 'publish', 'push', 'rename', 'delete', 'drop', 'delete namespace'),
    id: fc.constantFrom('r1', 'r2', 'r3', 'r4'),
    name: fc.constantFrom('a', 'b', 'B'),
    namespace: fc.constantFrom('n', 'N', 'm'),
    version: fc.integer({ min: 1, max: 9 }),
  });
  test.prop([fc.array(step, { minLength: 8, maxLength: 40, size: 'max' })], { numRuns: 15 })(
    'REPO-106, LIM-012: any steps at once leave true numbers of repos and bytes',
    async (steps) => {
      const catalogs = pair();
      const account = `race${accounts - 1}`;
      const actions = steps.map(async ({ does, id, name, namespace, version }, index) => {
        const catalog = catalogs[index % 2] as Catalog;
        const unique = `${id}-${index}`;
        if (does === 'reserve') {
          await catalog.reserveRepo(newRepo(unique, name, { namespace }), token(unique));
          await catalog.publishRepo(unique, { defaultBranch: 'main', at: 2, bytes: version, version });
        } else if (does === 'delete namespace') await catalog.deleteNamespace(namespace, 9);
        else if (does === 'delete') await catalog.deleteRepo(namespace, name, index, 0);
        else {
          const found = await catalog.repo(namespace, name);
          if (found === undefined) return;
          if (does === 'publish') await catalog.publishRepo(found.id);
          if (does === 'push') await catalog.touch(found.id, { pushedAt: 3, bytes: 10 * version, version });
          if (does === 'rename') await rename(catalog, found.id, name === 'a' ? 'b' : 'a');
          if (does === 'drop') await catalog.dropRepo(found.id, index);
        }
      });
      await Promise.all(actions);
      const counted = await drivers[0].rows(
        `SELECT n.folded AS namespace FROM packhouse.catalog_namespaces AS n WHERE n.account = $1 AND repo_count <> (
           SELECT count(*) FROM packhouse.catalog_repos WHERE account = n.account AND namespace = n.folded)`,
        [account],
      );
      expect(counted).toEqual([]);
      const [bytes] = await drivers[0].rows<{ total: number }>(
        'SELECT coalesce(sum(bytes), 0) AS total FROM packhouse.catalog_repos WHERE account = $1',
        [account],
      );
      expect(await catalogs[1].storedBytes()).toBe(bytes?.total);
    },
  );
});
