import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testTagStore } from '../contract/tag-store.ts';
import { change, everything, filtered, resource } from '../contract/tag-store-samples.ts';
import { type SqlDriver, type SqlValue, migrate } from '@packhouse/base';
import { limitedDriver } from '@packhouse/base/testing';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { tagMigrations } from './schema.ts';
import { sqlTagStores } from './sql.ts';

testTagStore('SQLite in memory, with the limits of a Durable Object', () => {
  const driver = openNodeSqlite(':memory:');
  migrate(driver, 'tags', tagMigrations);
  return { stores: sqlTagStores(limitedDriver(driver)), close: () => driver.close() };
});

testTagStore('SQLite in a file, two connections in turn', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-tags-'));
  const drivers = [0, 1].map(() => openNodeSqlite(join(folder, 'tags.sqlite')));
  for (const driver of drivers) migrate(driver, 'tags', tagMigrations);
  let turn = 0;
  return {
    stores: (account) => sqlTagStores(drivers[(turn += 1) % 2] as SqlDriver)(account),
    close: () => {
      for (const driver of drivers) driver.close();
      rmSync(folder, { recursive: true });
    },
  };
});

describe('the plans of queries', () => {
  const driver = openNodeSqlite(':memory:');
  migrate(driver, 'tags', tagMigrations);
  afterAll(() => driver.close());
  let plans: string[] = [];
  const explain = (statement: string, parameters: readonly SqlValue[]): void => {
    expect(statement, 'is planned anew whenever it runs').not.toMatch(/LIMIT \?(?!\d* \+)/);
    const plan = driver.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, ...parameters);
    plans.push(...plan.map(({ detail }) => detail));
  };
  const store = sqlTagStores({
    all: <Row>(statement: string, ...parameters: readonly SqlValue[]) => {
      explain(statement, parameters);
      return driver.all<Row>(statement, ...parameters);
    },
    run: (statement, ...parameters) => {
      explain(statement, parameters);
      return driver.run(statement, ...parameters);
    },
    transaction: (work) => driver.transaction(work),
    durable: () => driver.durable(),
  })('a1');
  const a = resource('worker', 'a');

  /** Returns the indexes with which a call begins, without those of conditions and joins. */
  const indexesOf = async (call: () => Promise<unknown>): Promise<readonly string[]> => {
    plans = [];
    await call();
    expect(plans.length).toBeGreaterThan(0);
    const rows = plans.filter(
      (detail) => !/^SCAN (?:json_each VIRTUAL TABLE|found$|CONSTANT ROW|\(subquery-)/.test(detail),
    );
    expect(rows.filter((detail) => detail.startsWith('SCAN'))).toEqual([]);
    expect(rows.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([]);
    return plans.flatMap((detail) => /SEARCH (?:r|first) USING (?:COVERING )?INDEX (.*)$/.exec(detail)?.slice(1) ?? []);
  };

  beforeAll(async () => {
    await store.set(change(a, { env: 'prod', ENV: 'prod', team: '' }));
  });

  const one = { key: 'env', test: 'one-of', values: ['prod'] } as const;
  const two = { key: 'team', test: 'one-of', values: ['x', 'y'] } as const;
  const has = { key: 'env', test: 'has' } as const;
  const lacks = { key: 'env', test: 'lacks' } as const;
  const none = { key: 'env', test: 'none-of', values: ['a', 'b'] } as const;
  const range = 'place>? AND place<?';
  it.each([
    ['all', [], false, `tag_records_tagged (account=? AND ${range})`],
    ['a lack', [lacks, none], false, `tag_records_tagged (account=? AND ${range})`],
    ['a lack', [lacks, none], true, `tag_records_tagged (account=? AND ${range})`],
    ['a value', [lacks, one, none], false, `tag_entries_by_value (account=? AND key=? AND value=? AND ${range})`],
    [
      'a value',
      [lacks, one, none],
      true,
      `tag_entries_by_folded_value (account=? AND folded_key=? AND folded_value=? AND ${range})`,
    ],
    ['a key', [has, none], false, `tag_entries_by_folded_key (account=? AND folded_key=? AND ${range})`],
    ['a key', [has, none], true, `tag_entries_by_folded_key (account=? AND folded_key=? AND ${range})`],
    ['values', [two, none], false, `tag_entries_by_value (account=? AND key=? AND value=? AND ${range})`],
  ] as const)(
    'TAG-079: a list by %s %j reads an index in order; ignoring case: %s',
    async (_, filters, ignoring, index) => {
      const list = { ...filtered(...filters), caseInsensitive: ignoring, name: 'x' };
      for (const types of [[], ['worker', 'zone']])
        for (const slice of [{ limit: 100 }, { limit: 100, after: a }]) {
          const used = await indexesOf(() => store.resources({ ...list, types }, slice));
          expect([...new Set(used)]).toEqual([index]);
        }
    },
  );

  it('TAG-067: a list by ids uses an index', async () => {
    const list = { ...filtered(one, has, none), ids: ['a', 'b'], types: ['worker', 'zone'] };
    const used = await indexesOf(() => store.resources(list, { limit: 100 }));
    expect([...new Set(used)]).toEqual([`tag_records_by_id (account=? AND id=? AND ${range})`]);
  });

  it('starts with the filter that fewest resources match', async () => {
    await store.set(change(resource('worker', 'b'), { env: 'prod' }));
    const used = await indexesOf(() =>
      store.resources(filtered(one, { key: 'team', test: 'has' }, none), { limit: 100 }),
    );
    // The list counts the rows of both filters, then reads one of the two.
    expect(used).toHaveLength(3);
    expect(used.at(-1)).toBe(`tag_entries_by_folded_key (account=? AND folded_key=? AND ${range})`);
    // The other two filters are conditions.
    expect(plans.filter((detail) => detail.includes('matched_tag'))).toHaveLength(2);
  });

  it('every other query uses an index', async () => {
    await indexesOf(async () => {
      await store.record(a);
      await store.set(change(a, { team: 'x' }));
      await store.rename(a, 'b');
      for (const slice of [{ limit: 100 }, { limit: 100, after: 'env' }]) {
        await store.keys(slice);
        await store.values('team', null, slice);
        await store.values('team', 'worker', slice);
        await store.summary(slice);
      }
      await store.keepPlace('p', 'x', 5);
      await store.keptPlace('p');
      await store.remove(a, null);
    });
  });
});

describe('the rows read for a part of a list', () => {
  const driver = openNodeSqlite(':memory:');
  migrate(driver, 'tags', tagMigrations);
  afterAll(() => driver.close());
  let rows = 0;
  const store = sqlTagStores({
    all: <Row>(statement: string, ...parameters: readonly SqlValue[]) => {
      const found = driver.all<Row>(statement, ...parameters);
      rows += found.length;
      return found;
    },
    run: (statement, ...parameters) => driver.run(statement, ...parameters),
    transaction: (work) => driver.transaction(work),
    durable: () => driver.durable(),
  })('a1');
  const numbers = Array.from({ length: 20 }, (_, number) => String(number).padStart(2, '0'));

  beforeAll(async () => {
    for (const parent of numbers)
      for (const id of numbers) await store.set(change(resource('worker_version', id, { parent }), { env: id }));
  });

  it.each([
    ['ids', { ...everything, ids: numbers }],
    ['values', filtered({ key: 'env', test: 'one-of', values: numbers.slice(0, 10) })],
  ])('TAG-136, TAG-138: for many %s, exclude rows after the last found one', async (_, list) => {
    rows = 0;
    const { items } = await store.resources(list, { limit: 9 });
    expect(items.map(({ resource: { parent, id } }) => [parent, id])).toEqual(
      numbers.slice(0, 9).map((id) => ['00', id]),
    );
    // The list reads ten rows of the first source, fewer of each further source, and the tags of the page.
    expect(rows).toBeLessThan(60);
  });

  it('TAG-010: exclude the next key of a summary that ends early', async () => {
    const summary = async () => {
      rows = 0;
      return { ...(await store.summary({ limit: 9, lengthMax: 1 })), rows };
    };
    const alone = await summary();
    expect(alone).toMatchObject({ items: [{ key: 'env', values: numbers }], more: false });
    for (const id of ['x', 'y'])
      await store.set(change(resource('worker', id), Object.fromEntries(numbers.map((key) => [`k${key}`, id]))));
    // The summary reads nine more keys, without their values.
    expect(await summary()).toEqual({ ...alone, more: true, rows: alone.rows + 9 });
  });
});
