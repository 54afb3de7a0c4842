import { foldCase, type TagFilter } from '@packhouse/tag-filter';
import type { TaggedResourceList } from '../model/tag-store.ts';
import type { SqlValue } from '@packhouse/base';

/** Where a query begins: rows of a table that come out of an index in the order of lists. */
export interface Source {
  /** The table and its index. */
  readonly from: string;
  /** What brings the records, which are called `r`, if they are not the table. */
  readonly join: string;
  /** The condition on the first columns of the index. */
  readonly where: string;
  readonly parameters: readonly SqlValue[];
  /** Columns that hold the place, and the number of the record. */
  readonly place: string;
  readonly record: string;
  /** Whether a record may come out more than once, next to each other: of its keys that differ in case alone. */
  readonly repeats: boolean;
}

/** All tagged resources of an account. */
export function taggedSource(account: number): Source {
  return recordSource('tag_records_tagged', '', [account]);
}

/** The tagged resources with one of some ids: a source for each id. */
export function idSources(account: number, ids: readonly string[]): readonly Source[] {
  return [...new Set(ids)].map((id) => recordSource('tag_records_by_id', ' AND r.id = ?', [account, id]));
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
  const fold = caseInsensitive ? foldCase : String;
  if (filter.test === 'has') {
    const folded = [account, foldCase(filter.key)];
    // One index is enough for both: only keys that differ in case alone are passed over.
    const [exactly, parameters] = caseInsensitive ? ['', folded] : [' AND first.key = ?', [...folded, filter.key]];
    return [entrySource('tag_entries_by_folded_key', `first.folded_key = ?${exactly}`, parameters, caseInsensitive)];
  }
  if (filter.test !== 'one-of') return undefined;
  const [index, condition] = caseInsensitive
    ? ['tag_entries_by_folded_value', 'first.folded_key = ? AND first.folded_value = ?']
    : ['tag_entries_by_value', 'first.key = ? AND first.value = ?'];
  return [...new Set(filter.values.map((value) => fold(value)))].map((value) =>
    entrySource(index, condition, [account, fold(filter.key), value], caseInsensitive),
  );
}

function recordSource(index: string, condition: string, parameters: readonly SqlValue[]): Source {
  return {
    from: `tag_records AS r INDEXED BY ${index}`,
    join: '',
    where: `r.account = ? AND r.tags > 0${condition}`,
    parameters,
    place: 'r.place',
    record: 'r.record',
    repeats: false,
  };
}

function entrySource(index: string, condition: string, parameters: readonly SqlValue[], repeats: boolean): Source {
  return {
    from: `tag_entries AS first INDEXED BY ${index}`,
    // `CROSS` is how SQLite is told which table comes first.
    join: 'CROSS JOIN tag_records AS r ON r.record = first.record',
    where: `first.account = ? AND ${condition}`,
    parameters,
    place: 'first.place',
    record: 'first.record',
    repeats,
  };
}
