import { foldCase, type TagFilter, toSql } from '@packhouse/tag-filter';
import type { ResourceIdentity, TaggedResourceList, TagPart, TagSlice } from '../model/tag-store.ts';
import { compareBytewise, type SqlDriver } from '@packhouse/base';
import { cut } from './cut.ts';
import { type PlaceRange, rangesOf } from './place.ts';
import { recordColumns, type RecordRow } from './sql-records.ts';
import { filterSources, idSources, type Source, taggedSource } from './sql-sources.ts';
import { fromBytes, toBytes } from './sql-texts.ts';

/** Sources of a list, and the filters that remain as conditions. */
interface Plan {
  readonly sources: readonly Source[];
  readonly filters: readonly TagFilter[];
}

/** Counting stops at this number of resources. Every source with more counts as equally large. */
const manyResources = 1_000;

/** Maximum number of rows. SQLite would prepare a bare `LIMIT ?` again for each run, to plan by its value. */
const limited = 'LIMIT ? + 0';

/** Reads the rows of a part of a list. Call it within a transaction. */
export function listRows(
  driver: SqlDriver,
  account: number,
  list: TaggedResourceList,
  slice: TagSlice<ResourceIdentity>,
): TagPart<RecordRow> {
  const { sources, filters } = planOf(driver, account, list);
  const readers = sources.map((source) => readerOf(driver, source, filters, list));
  function* following(): Generator<RecordRow> {
    for (const range of rangesOf(list.types, slice.after)) yield* firstRows(readers, range, slice.limit + 1);
  }
  return cut(following(), slice, ({ length }) => length);
}

/**
 * Starts with ids if there are any, else with the filter that fewest resources match, else with all tagged resources.
 */
function planOf(driver: SqlDriver, account: number, { ids, filters, caseInsensitive }: TaggedResourceList): Plan {
  if (ids.length > 0) return { sources: idSources(account, ids), filters };
  const plans = filters.flatMap((filter): Plan[] => {
    const sources = filterSources(account, filter, caseInsensitive);
    return sources === undefined ? [] : [{ sources, filters: filters.filter((other) => other !== filter) }];
  });
  const [only, ...others] = plans;
  if (only === undefined) return { sources: [taggedSource(account)], filters };
  if (others.length === 0) return only;
  const sizes = new Map(plans.map((plan) => [plan, sizeOf(driver, plan.sources)]));
  return plans.reduce((best, plan) => ((sizes.get(plan) ?? 0) < (sizes.get(best) ?? 0) ? plan : best));
}

/** Counts the rows of all sources, up to `manyResources`. */
function sizeOf(driver: SqlDriver, sources: readonly Source[]): number {
  let size = 0;
  for (const { from, where, parameters } of sources) {
    const [row] = driver.all<{ size: number }>(
      `SELECT count(*) AS size FROM (SELECT 1 FROM ${from} WHERE ${where} ${limited})`,
      ...parameters,
      manyResources - size,
    );
    size += row?.size ?? 0;
  }
  return size;
}

/** Reads the first rows of a source within a range, up to a limit. */
type Reader = (range: PlaceRange, limit: number) => readonly RecordRow[];

/**
 * Merges the first rows of all sources, each record once. Rows may be long and sources many (TAG-136, TAG-138). So it
 * holds no more rows than requested, and reads from the next source only rows before the last held one.
 */
function firstRows(readers: readonly Reader[], range: PlaceRange, limit: number): readonly RecordRow[] {
  let first = new Map<string, RecordRow>();
  let { before } = range;
  for (const read of readers) {
    const rows = read({ ...range, before }, limit).map(withPlace);
    // A single source is already sorted.
    const sorted = first.size === 0 ? rows : [...first, ...rows].toSorted(([a], [b]) => compareBytewise(a, b));
    first = new Map([...new Map(sorted)].slice(0, limit));
    if (first.size === limit) before = [...first.keys()].at(-1) ?? before;
  }
  return [...first.values()];
}

function withPlace(row: RecordRow): [place: string, row: RecordRow] {
  return [fromBytes(row.place), row];
}

/** Makes the statement once, since a list may run it for many types. */
function readerOf(
  driver: SqlDriver,
  { from, join, where, parameters, place, record, repeats }: Source,
  filters: readonly TagFilter[],
  { name, caseInsensitive }: TaggedResourceList,
): Reader {
  const columns = {
    resource: 'record',
    key: 'key',
    value: 'value',
    foldedKey: 'folded_key',
    foldedValue: 'folded_value',
  };
  const rest = toSql(filters, { table: { name: 'tag_entries', resource: record, columns }, caseInsensitive });
  const statement = `SELECT ${recordColumns} FROM ${from} ${join} WHERE ${where} AND ${place} > ? AND ${place} < ?
     AND ${name === '' ? '' : 'instr(r.folded_name, ?) > 0 AND '}${rest.sql}
     ${repeats ? `GROUP BY ${place} ` : ''}ORDER BY ${place} ${limited}`;
  const conditions = [...(name === '' ? [] : [foldCase(name)]), ...rest.parameters];
  return ({ after, before }, limit) =>
    driver.all<RecordRow>(statement, ...parameters, toBytes(after), toBytes(before), ...conditions, limit);
}
