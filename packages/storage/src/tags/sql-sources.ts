import { foldCase, type TagFilter } from '@packhouse/tag-filter';
import type { TaggedResourceList } from '@packhouse/hosting';
import type { SqlValue } from '../sql/driver.ts';

/**
 * The beginning of a query, whose rows come out of an index in the order of lists: `FROM` up to the first conditions of
 * `WHERE`. Records are called `r` in it.
 */
export interface Source {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  /** Columns that hold the place, and the number of the record. */
  readonly place: string;
  readonly record: string;
  /** Whether a record may come out more than once, next to each other: of its keys that differ in case alone. */
  readonly repeats: boolean;
}

const records = { place: 'r.place', record: 'r.record', repeats: false };

/** All tagged resources of an account. */
export function taggedSource(account: number): Source {
  const sql = 'FROM tag_records AS r INDEXED BY tag_records_tagged WHERE r.account = ? AND r.tags > 0';
  return { ...records, sql, parameters: [account] };
}

/** The tagged resources with one of some ids: a source for each id. */
export function idSources(account: number, ids: readonly string[]): readonly Source[] {
  const sql = 'FROM tag_records AS r INDEXED BY tag_records_by_id WHERE r.account = ? AND r.tags > 0 AND r.id = ?';
  return [...new Set(ids)].map((id) => ({ ...records, sql, parameters: [account, id] }));
}

/**
 * The resources that match a filter, as long as it asks for a tag: a source for each of its values. Undefined for
 * filters that ask for a lack: these match what is in no index.
 */
export function filterSources(
  account: number,
  filter: TagFilter,
  caseInsensitive: TaggedResourceList['caseInsensitive'],
): readonly Source[] | undefined {
  if (filter.test === 'has') {
    const condition = 'first.folded_key = ?';
    const folded = [account, foldCase(filter.key)];
    const source = entrySource('tag_entries_by_folded_key', condition, folded, caseInsensitive);
    // One index is enough for both: only keys that differ in case alone are passed over.
    const exact = { ...source, sql: `${source.sql} AND first.key = ?`, parameters: [...folded, filter.key] };
    return [caseInsensitive ? source : exact];
  }
  if (filter.test !== 'one-of') return undefined;
  const fold = caseInsensitive ? foldCase : String;
  const [index, condition] = caseInsensitive
    ? ['tag_entries_by_folded_value', 'first.folded_key = ? AND first.folded_value = ?']
    : ['tag_entries_by_value', 'first.key = ? AND first.value = ?'];
  return [...new Set(filter.values.map((value) => fold(value)))].map((value) =>
    entrySource(index, condition, [account, fold(filter.key), value], caseInsensitive),
  );
}

/** `CROSS JOIN` is how SQLite is told that this table comes first. */
function entrySource(index: string, condition: string, parameters: readonly SqlValue[], repeats: boolean): Source {
  const sql = `FROM tag_entries AS first INDEXED BY ${index} CROSS JOIN tag_records AS r ON r.record = first.record
     WHERE first.account = ? AND ${condition}`;
  return { sql, parameters, place: 'first.place', record: 'first.record', repeats };
}
