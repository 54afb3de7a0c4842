import { foldCase, type TagFilter } from '@packhouse/tag-filter';
import type { PostgresValue } from '@packhouse/base';
import { accountNumber } from './records.ts';
import { textStart } from './schema.ts';

/** Adds a parameter to a statement, and returns its placeholder. */
export type Bind = (value: PostgresValue) => string;

/** Start of a query: rows of a table, from one range of an index for each wanted text, in the order of lists. */
export interface Source {
  readonly from: string;
  /** Joins the records, whose alias is `r`, if they are not the table. */
  readonly join: string;
  /** Makes the condition on the first columns of the index. `wanted.text` is one of the wanted texts. */
  where(bind: Bind): string;
  readonly wanted: readonly string[];
  /** Condition that skips all but one of the rows of a record: it can have keys that differ only in case. */
  readonly once: string;
  /** Column with the start of the place. */
  readonly placeStart: string;
}

const fromRecords = { from: 'packhouse.tag_records AS r', join: '', once: 'true', placeStart: 'r.place_start' };
const taggedOf = `r.account = ${accountNumber} AND r.tags > 0`;

/** All tagged resources of an account. */
export const taggedSource: Source = { ...fromRecords, where: () => taggedOf, wanted: [''] };

/** Tagged resources with one of some ids. */
export function idSource(ids: readonly string[]): Source {
  return {
    ...fromRecords,
    where: () => `${taggedOf} AND ${isWanted('r.id', `left(r.id, ${textStart})`)}`,
    wanted: unique(ids),
  };
}

/**
 * Resources that match a filter for a present tag. Undefined for filters that match missing tags, since no index has
 * these.
 */
export function filterSource(filter: TagFilter, caseInsensitive: boolean): Source | undefined {
  const fold = caseInsensitive ? foldCase : String;
  const fromEntries = (sameValue: string) => ({
    from: 'packhouse.tag_entries AS first',
    join: 'JOIN packhouse.tag_records AS r ON r.record = first.record',
    once: caseInsensitive
      ? `NOT EXISTS (SELECT 1 FROM packhouse.tag_entries AS other WHERE other.record = first.record
           AND other.key < first.key AND other.folded_key = first.folded_key ${sameValue})`
      : 'true',
    placeStart: 'first.place_start',
  });
  const isKey = (bind: Bind): string =>
    `first.account = ${accountNumber} AND first.${caseInsensitive ? 'folded_key' : 'key'} = ${bind(fold(filter.key))}`;
  if (filter.test === 'has') {
    // One index serves both, since only keys that differ in case are skipped.
    const folded = (bind: Bind) => (caseInsensitive ? 'true' : `first.folded_key = ${bind(foldCase(filter.key))}`);
    return { ...fromEntries(''), where: (bind) => `${isKey(bind)} AND ${folded(bind)}`, wanted: [''] };
  }
  if (filter.test !== 'one-of') return undefined;
  const isValue = caseInsensitive
    ? isWanted('first.folded_value', `left(first.folded_value, ${textStart})`)
    : isWanted('first.value', 'first.value_start');
  return {
    ...fromEntries('AND other.folded_value = first.folded_value'),
    where: (bind) => `${isKey(bind)} AND ${isValue}`,
    wanted: unique(filter.values.map(fold)),
  };
}

function isWanted(column: string, start: string): string {
  return `${start} = left(wanted.text, ${textStart}) AND ${column} = wanted.text`;
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
