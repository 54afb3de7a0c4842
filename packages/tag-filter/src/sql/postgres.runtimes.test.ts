import { fc, it as property } from '@fast-check/vitest';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { anyFilter, anyTags } from '../filter/arbitraries.test.util.ts';
import { foldCase } from '../match/fold-case.ts';
import { matches } from '../match/matches.ts';
import { parseTagFilters } from '../wire/parse-tag-filters.ts';
import { postgres } from './postgres.ts';
import { type TagTable, toSql } from './to-sql.ts';

const table: TagTable = {
  schema: 'the schema',
  name: 'order "of" tags',
  resource: 'resources.id',
  columns: { resource: 'group', key: 'key', value: "it's", foldedKey: 'folded key', foldedValue: 'folded value' },
};
const tagTable = '"the schema"."order ""of"" tags"';

let server: PostgresServer;
let client: Client;

beforeAll(async () => {
  server = await startPostgres();
  client = new Client({ connectionString: await server.createDatabase() });
  await client.connect();
  await client.query(`
    CREATE SCHEMA "the schema";
    CREATE TABLE resources (id int PRIMARY KEY);
    CREATE TABLE ${tagTable} (
      "group" int, key text, "it's" text, "folded key" text, "folded value" text, PRIMARY KEY ("group", key)
    )`);
});
afterAll(async () => {
  await client.end();
  await server.close();
});

async function fill(resources: readonly Readonly<Record<string, string>>[]): Promise<void> {
  await client.query(`DELETE FROM resources; DELETE FROM ${tagTable}`);
  await client.query('INSERT INTO resources SELECT generate_series(0, $1::int - 1)', [resources.length]);
  const rows = resources.flatMap((tags, id) => Object.entries(tags).map(([key, value]) => ({ id, key, value })));
  await client.query(
    `INSERT INTO ${tagTable} SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[])`,
    [
      rows.map(({ id }) => id),
      rows.map(({ key }) => key),
      rows.map(({ value }) => value),
      rows.map(({ key }) => foldCase(key)),
      rows.map(({ value }) => foldCase(value)),
    ],
  );
}

describe('toSql for PostgreSQL', () => {
  property.prop(
    [
      fc.array(fc.array(anyFilter, { maxLength: 3 }), { maxLength: 6 }),
      fc.array(anyTags, { maxLength: 6 }),
      fc.boolean(),
    ],
    { numRuns: 60 },
  )(
    'TAG-067, TAG-070, TAG-071, TAG-086: the database selects exactly the resources that match',
    async (lists, resources, caseInsensitive) => {
      await fill(resources);
      // Filters for the stored tags themselves, too, which arbitrary ones rarely meet.
      const stored = resources
        .flatMap((tags) => Object.entries(tags))
        .flatMap(([key, value]) =>
          parseTagFilters(`tag=${encodeURIComponent(key)}=${encodeURIComponent(value)}${value === '' ? '' : ',x'}`),
        );
      for (const filters of [...lists, ...stored.map((filter) => [filter])]) {
        const { sql, parameters } = toSql(filters, { table, caseInsensitive, dialect: postgres, firstParameter: 2 });
        const { rows } = await client.query(`SELECT id FROM resources WHERE id >= $1 AND ${sql} ORDER BY id`, [
          0,
          ...parameters,
        ]);
        const accepted = resources.flatMap((tags, id) => (matches(filters, tags, { caseInsensitive }) ? [id] : []));
        expect(rows.map(({ id }: { id: number }) => id)).toEqual(accepted);
      }
    },
  );
});
