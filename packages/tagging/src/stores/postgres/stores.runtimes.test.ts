import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { migratePostgres, type PostgresDriver } from '@packhouse/base';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { extendSchema, measuredDriver, type StatementCost } from '@packhouse/base/testing';
import { testTagStore } from '../../contract/tag-store.ts';
import { change, everything, filtered, resource, walk } from '../../contract/tag-store-samples.ts';
import type { TagStore } from '../../model/tag-store.ts';
import { postgresTagMigrations } from './schema.ts';
import { postgresTagStores } from './stores.ts';

let server: PostgresServer;
let drivers: readonly [PostgresDriver, PostgresDriver];

beforeAll(async () => {
  server = await startPostgres();
  const url = await server.createDatabase();
  // A busy machine is slow to connect.
  const open = () => openNodePostgres(url, { connectTimeout: 30_000 });
  drivers = [open(), open()];
  await migratePostgres(drivers[0], 'tags', postgresTagMigrations);
  await extendSchema(drivers[0]);
});
afterAll(async () => {
  for (const driver of drivers) await driver.close();
  await server.close();
});

testTagStore('REPO-397: PostgreSQL, two servers in turn', async () => {
  for (const table of ['accounts', 'records', 'entries', 'places'])
    await drivers[0].rows(`DELETE FROM packhouse.tag_${table}`);
  let turn = 0;
  return {
    stores: (account) => postgresTagStores(drivers[(turn += 1) % 2] as PostgresDriver)(account),
    close: () => undefined,
  };
});

describe('tag stores of two servers on one PostgreSQL', () => {
  let accounts = 0;
  /** Opens the store of a new account on each server. */
  const pair = (): readonly [TagStore, TagStore] => {
    const account = `race${accounts++}`;
    return [postgresTagStores(drivers[0])(account), postgresTagStores(drivers[1])(account)];
  };
  const twelve = Array.from({ length: 12 }, (_, index) => index);
  const each = <T>(stores: readonly [TagStore, TagStore], act: (store: TagStore, index: number) => Promise<T>) =>
    Promise.all(twelve.map((index) => act(stores[index % 2] as TagStore, index)));

  it('TAG-142, TAG-174: the limit of a new account holds under simultaneous sets and removals', async () => {
    const stores = pair();
    for (let round = 0; round < 3; round++) {
      const outcomes = await each(stores, (store, index) =>
        store.set(change(resource('worker', `${index}`), { a: '', b: `${round}` }, { accountMax: 9 })),
      );
      expect(outcomes.filter(({ kind }) => kind === 'set').length).toBeGreaterThanOrEqual(4);
      const { items } = await stores[0].resources(everything, { limit: 99 });
      expect(items).toHaveLength(4);
      await each(stores, (store, index) => store.remove(resource('worker', `${index}`), null));
    }
    const full = await stores[1].set(change(resource('worker', 'x'), { a: '' }, { accountMax: 1 }));
    expect(full.kind).toBe('set');
  });

  it('TAG-171, TAG-053: simultaneous sets of a resource leave the map of one, with its time', async () => {
    const stores = pair();
    const outcomes = await each(stores, (store, index) =>
      store.set(change(resource('worker', 'a'), { [`k${index}`]: 'x', all: `${index}` })),
    );
    const records = outcomes.map((outcome) => (outcome.kind === 'set' ? outcome.record : undefined));
    const times = records.map((record) => record?.updatedAt ?? 0).toSorted();
    expect(times).toEqual(twelve.map((index) => 1000 + index));
    const last = records.find((record) => record?.updatedAt === 1011);
    expect(await stores[0].record(resource('worker', 'a'))).toEqual(last);
    expect((await stores[1].keys({ limit: 99 })).items).toEqual(Object.keys(last?.tags ?? {}).toSorted());
  });

  it('TAG-172: a read never sees a part of a set', async () => {
    const stores = pair();
    const maps = [
      { a: '1', b: '1', c: '1' },
      { b: '2', c: '2', d: '2' },
    ];
    const writes = (async () => {
      for (const index of twelve) await stores[0].set(change(resource('worker', 'a'), maps[index % 2] ?? {}));
    })();
    for (let reads = 0; reads < 30; reads++) {
      const [one] = (await stores[1].resources(everything, { limit: 1 })).items;
      if (one !== undefined) expect(maps).toContainEqual(one.tags);
    }
    await writes;
  });
});

it('TAG-069: a name may contain U+0000, and is found by it', async () => {
  const store = postgresTagStores(drivers[0])('names');
  await store.set(change(resource('worker', 'a'), { a: '' }, { name: 'x\0Y' }));
  expect((await store.resources({ ...everything, name: '\0y' }, { limit: 9 })).items).toMatchObject([{ name: 'x\0Y' }]);
  expect((await store.resources({ ...everything, name: '\0x' }, { limit: 9 })).items).toEqual([]);
});

describe('texts that no index row has room for', () => {
  /** Text that PostgreSQL cannot compress, of the maximum length. */
  const random = (length: number, seed: number): string => {
    let state = seed;
    const character = () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return String.fromCodePoint(0x20000 + ((state >> 10) % 0xa000));
    };
    return Array.from({ length }, character).join('');
  };

  it('TAG-132, TAG-133, TAG-140, TAG-073: are stored, found and listed in order', async () => {
    const store = postgresTagStores(drivers[0])('long');
    const key = random(256, 1);
    const common = random(1000, 2);
    // Values, ids and parents that differ only at their end, in the reverse order of being set.
    const ends = ['a', 'b', 'c', 'd', 'e'];
    for (const end of ends.toReversed()) {
      const of = resource('worker_version', common + end, { parent: common + end });
      await store.set(change(of, { [key]: common + end }, { name: common + end }));
    }
    const listed = async (list = everything) =>
      (
        await walk(
          (after: ReturnType<typeof resource> | undefined) =>
            store.resources(list, { limit: 2, ...(after && { after }) }),
          (record) => record.resource,
        )
      ).flatMap((page) => page.map(({ resource: { id } }) => id.slice(common.length)));
    expect(await listed()).toEqual(ends);
    for (const caseInsensitive of [false, true]) {
      const values = [`${common}d`, `${common}b`];
      const some = { ...filtered({ key, test: 'one-of', values }), caseInsensitive };
      expect(await listed(some)).toEqual(['b', 'd']);
      expect(await listed({ ...filtered({ key, test: 'has' }), caseInsensitive })).toEqual(ends);
    }
    expect(await listed({ ...everything, ids: [`${common}e`, `${common}a`] })).toEqual(['a', 'e']);
    for (const type of [null, 'worker_version']) {
      const pages = await walk(
        (after: string | undefined) => store.values(key, type, { limit: 2, ...(after !== undefined && { after }) }),
        (value) => value,
      );
      expect(pages.flat()).toEqual(ends.map((end) => common + end));
    }
    expect((await store.summary({ limit: 1 })).items).toEqual([{ key, values: ends.map((end) => common + end) }]);
  });
});

describe('the cost of lists of 20,000 resources', () => {
  const costs: StatementCost[] = [];
  let driver: PostgresDriver;
  let store: TagStore;
  const blocksOf = async (call: () => Promise<unknown>): Promise<number> => {
    costs.length = 0;
    await call();
    // The accounts of this test fit into one block.
    expect(costs.flatMap(({ scanned }) => scanned.filter((table) => table !== 'tag_accounts'))).toEqual([]);
    return Math.max(...costs.map(({ blocks }) => blocks));
  };
  const all = { key: 'all', test: 'one-of', values: ['same'] } as const;
  const some = { key: 'some', test: 'one-of', values: ['v7', 'v8'] } as const;
  const has = { key: 'all', test: 'has' } as const;
  const lacks = { key: 'none', test: 'lacks' } as const;
  const after = resource('worker', 'id10000');

  beforeAll(async () => {
    // Its own database: statistics of the tests above would mislead PostgreSQL.
    driver = openNodePostgres(await server.createDatabase(), { connectTimeout: 30_000 });
    await migratePostgres(driver, 'tags', postgresTagMigrations);
    store = postgresTagStores(measuredDriver(driver, (cost) => costs.push(cost)))('many');
    await driver.rows(`INSERT INTO packhouse.tag_accounts (account, tags) VALUES ('many', 40000)`);
    const account = `(SELECT id FROM packhouse.tag_accounts WHERE account = 'many')`;
    await driver.rows(
      `INSERT INTO packhouse.tag_records (account, place, id, name, folded_name, tags, length, updated_at)
       SELECT ${account}, convert_to(type, 'UTF8') || '\\x000000' || convert_to(id, 'UTF8'), id, '\\x61', '\\x61', 2, 9, 1
       FROM generate_series(10000, 29999) AS i CROSS JOIN LATERAL (SELECT 'id' || i, CASE WHEN i < 29000 THEN 'worker' ELSE 'zone' END) AS r (id, type)`,
    );
    await driver.rows(
      `INSERT INTO packhouse.tag_entries (record, key, value, folded_key, folded_value, account, type, place_start)
       SELECT r.record, e.key, e.value, e.key, e.value, r.account, 'worker', r.place_start FROM packhouse.tag_records AS r
       CROSS JOIN LATERAL (VALUES ('all', 'same'), ('some', 'v' || r.record % 500)) AS e (key, value)
       WHERE r.account = ${account}`,
    );
  });

  afterAll(() => driver.close());

  it.each([
    ['all', []],
    ['a lack', [lacks]],
    ['a value', [all, lacks]],
    ['a key', [has, lacks]],
    ['values of few', [all, some, lacks]],
  ] as const)('TAG-079: a page by %s reads little more than the page', async (_, filters) => {
    for (const caseInsensitive of [false, true]) {
      const list = { ...filtered(...filters), caseInsensitive };
      for (const types of [[], ['worker', 'zone']])
        for (const slice of [{ limit: 10 }, { limit: 10, after }])
          expect(await blocksOf(() => store.resources({ ...list, types }, slice))).toBeLessThan(700);
    }
  });

  it('TAG-067, TAG-072: ids, keys, values, a summary, and every write read only what they need', async () => {
    const ids = ['id10000', 'id20000', 'id29999'];
    expect(await blocksOf(() => store.resources({ ...filtered(all), ids }, { limit: 10 }))).toBeLessThan(100);
    for (const slice of [{ limit: 10 }, { limit: 10, after: 'all' }]) {
      expect(await blocksOf(() => store.keys(slice))).toBeLessThan(100);
      expect(await blocksOf(() => store.values('all', null, slice))).toBeLessThan(100);
      expect(await blocksOf(() => store.values('some', 'worker', slice))).toBeLessThan(100);
    }
    expect(await blocksOf(() => store.summary({ limit: 1 }))).toBeLessThan(100);
    const of = resource('worker', 'id15000');
    expect(await blocksOf(() => store.record(of))).toBeLessThan(30);
    expect(await blocksOf(() => store.rename(of, 'x'))).toBeLessThan(60);
    expect(await blocksOf(() => store.set(change(of, { all: 'x' }, { accountMax: 50_000 })))).toBeLessThan(100);
    expect(await blocksOf(() => store.remove(of, null))).toBeLessThan(100);
  });
});
