import { foldCase, postgres, type TagFilter, toSql } from '@packhouse/tag-filter';
import type { PostgresDriver, PostgresSession, PostgresValue } from '@packhouse/base';
import type { ResourceIdentity, TaggedResourceList, TagPart, TagRecord, TagSlice } from '../../model/tag-store.ts';
import { cut } from '../cut.ts';
import { rangesOf } from '../place.ts';
import { toBytes } from '../sql-texts.ts';
import { recordColumns, recordOf, type RecordRow } from './records.ts';
import { placeStart } from './schema.ts';
import { type Bind, filterSource, idSource, type Source, taggedSource } from './sources.ts';

/** Source of a list, and the filters that remain as conditions. */
interface Plan {
  readonly source: Source;
  readonly filters: readonly TagFilter[];
}

/** Counting stops at this number of resources. Every source with more counts as equally large. */
const manyResources = 1_000;

/**
 * Makes PostgreSQL read each index in order, which it knows to be faster only if its statistics are new: a sort would
 * need all rows. Holds until the transaction ends.
 */
const readInOrder = `SELECT ${['sort', 'hashjoin', 'mergejoin', 'bitmapscan', 'seqscan']
  .map((method) => `set_config('enable_${method}', 'off', true)`)
  .join(', ')}`;

/**
 * Reads a part of a list in one round trip, or two if several filters could begin it. Each range of places and each
 * wanted text is a range of an index, of which a page needs the first rows at most.
 */
export async function listRecords(
  driver: PostgresDriver,
  account: string,
  list: TaggedResourceList,
  slice: TagSlice<ResourceIdentity>,
): Promise<TagPart<TagRecord>> {
  const ranges = rangesOf(list.types, slice.after);
  if (ranges.length === 0) return { items: [], more: false };
  const { source, filters } = await planOf(driver, account, list);
  const parameters: PostgresValue[] = [account];
  const bind: Bind = (value) => `$${parameters.push(value)}`;
  const bounds = (['after', 'before'] as const).map((end) => bind(ranges.map((range) => toBytes(range[end]))));
  const limit = bind(slice.limit + 1);
  const name =
    list.name === '' ? '' : `AND position(${bind(toBytes(foldCase(list.name)))}::bytea IN r.folded_name) > 0`;
  const where = source.where(bind);
  const wanted = bind(source.wanted);
  const lengthMax = bind(Math.min(slice.lengthMax ?? Infinity, Number.MAX_SAFE_INTEGER));
  const rest = toSql(filters, {
    table: {
      schema: 'packhouse',
      name: 'tag_entries',
      resource: 'r.record',
      columns: {
        resource: 'record',
        key: 'key',
        value: 'value',
        foldedKey: 'folded_key',
        foldedValue: 'folded_value',
      },
    },
    caseInsensitive: list.caseInsensitive,
    dialect: postgres,
    firstParameter: parameters.length + 1,
  });
  const order = `${source.placeStart}, r.place`;
  // Only the rows of the page get their tags.
  const statement = `WITH found AS (
       SELECT DISTINCT ON (r.place) r.*
       FROM unnest(${bounds.map((each) => `${each}::bytea[]`).join(', ')}) AS bounds (after, before)
       CROSS JOIN unnest(${wanted}::text[]) AS wanted (text)
       CROSS JOIN LATERAL (
         SELECT ${recordColumns} FROM ${source.from} ${source.join}
         WHERE ${where} AND ${source.placeStart} >= substring(bounds.after FROM 1 FOR ${placeStart})
           AND ${source.placeStart} <= substring(bounds.before FROM 1 FOR ${placeStart})
           AND r.place > bounds.after AND r.place < bounds.before ${name} AND ${source.once} AND ${rest.sql}
         ORDER BY ${order} LIMIT ${limit}
       ) AS r
       ORDER BY r.place LIMIT ${limit}),
     numbered AS (
       SELECT r.*, row_number() OVER places AS number, sum(length) OVER places - length AS before
       FROM found AS r WINDOW places AS (ORDER BY place))
     SELECT ${recordColumns}, (
       SELECT json_object_agg(key, value) FROM packhouse.tag_entries
       WHERE record = r.record AND r.number < ${limit} AND (r.number = 1 OR r.before < ${lengthMax})) AS tags
     FROM numbered AS r ORDER BY r.place`;
  // Awaited after the commit, so that all goes out in one round trip.
  const sent = await driver.transaction(async (session) => {
    void session.rows(readInOrder);
    return { rows: session.rows<RecordRow>(statement, [...parameters, ...rest.parameters]) };
  }, 'read');
  const rows = await sent.rows;
  const { items, more } = cut(rows, slice, ({ length }) => length);
  return { items: items.map(recordOf), more };
}

/**
 * Starts with ids if there are any, else with the filter that fewest resources match, else with all tagged resources.
 */
async function planOf(
  session: PostgresSession,
  account: string,
  { ids, filters, caseInsensitive }: TaggedResourceList,
): Promise<Plan> {
  if (ids.length > 0) return { source: idSource(ids), filters };
  const plans = filters.flatMap((filter): Plan[] => {
    const source = filterSource(filter, caseInsensitive);
    return source === undefined ? [] : [{ source, filters: filters.filter((other) => other !== filter) }];
  });
  const [first = { source: taggedSource, filters }, ...others] = plans;
  if (others.length === 0) return first;
  const parameters: PostgresValue[] = [account];
  const bind: Bind = (value) => `$${parameters.push(value)}`;
  const sizes = plans.map(
    ({ source }) => `(SELECT count(*) FROM (
       SELECT 1 FROM unnest(${bind(source.wanted)}::text[]) AS wanted (text) CROSS JOIN LATERAL (
         SELECT 1 FROM ${source.from} WHERE ${source.where(bind)} LIMIT ${manyResources}) AS part
       LIMIT ${manyResources}) AS counted)`,
  );
  const [row] = await session.rows<{ sizes: number[] }>(`SELECT ARRAY[${sizes.join(', ')}] AS sizes`, parameters);
  const smallest = row === undefined ? 0 : row.sizes.indexOf(Math.min(...row.sizes));
  return plans[smallest] ?? first;
}
