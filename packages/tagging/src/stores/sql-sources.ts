import { foldCase, type TagFilter } from '@packhouse/tag-filter';
import type { TaggedResourceList } from '../model/tag-store.ts';
import type { SqlValue } from '@packhouse/base';

/** Start of a query: rows of a table in the list order of an index. */
export interface Source {
  /** Table and index. */
  readonly from: string;
  /** Join with the records, whose alias is `r`, if they are not the table. */
  readonly join: string;
  /** Condition on the first columns of the index. */
  readonly where: string;
  readonly parameters: readonly SqlValue[];
  /** Columns of the position and the record number. */
  readonly place: string;
  readonly record: string;
  /** True if consecutive rows may have the same record, since it can have keys that differ only in case. */
  readonly repeats: boolean;
}

/** All tagged resources of an account. */
export function taggedSource(account: number): Source {
  return recordSource('tag_records_tagged', '', [account]);
}

/** Tagged resources by id, with one source per id. */
export function idSources(account: number, ids: readonly string[]): readonly Source[] {
  return [...new Set(ids)].map((id) => recordSource('tag_records_by_id', ' AND r.id = ?', [account, id]));
}

/**
 * Resources that match a filter for a present tag, with one source per value. Undefined for filters that match missing
 * tags, since no index has these.
 */
export function filterSources(
  account: number,
  filter: TagFilter,
  caseInsensitive: TaggedResourceList['caseInsensitive'],
): readonly Source[] | undefined {
  const fold = caseInsensitive ? foldCase : String;
  if (filter.test === 'has') {
    const folded = [account, foldCase(filter.key)];
    // One index serves both, since only keys that differ in case are skipped.
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
    // SQLite keeps the table order of a `CROSS JOIN`.
    join: 'CROSS JOIN tag_records AS r ON r.record = first.record',
    where: `first.account = ? AND ${condition}`,
    parameters,
    place: 'first.place',
    record: 'first.record',
    repeats,
  };
}
