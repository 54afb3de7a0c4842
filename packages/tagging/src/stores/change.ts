import { etagOf, ifMatch, type Tags } from '@packhouse/tag-filter';
import type { SetTagsOutcome, TagChange, TagRecord } from '../model/tag-store.ts';

/**
 * Applies a change to a record (TAG-149).
 *
 * @param before the current record, undefined without one.
 * @param accountTags the sum of {@link countRecord} over the account before the change.
 */
export function changed(change: TagChange, before: TagRecord | undefined, accountTags: number): SetTagsOutcome {
  if (!mayWrite(change.ifMatch, before)) return { kind: 'no match' };
  const count = countTags(change.tags);
  const raise = countRecord(change) - countRecord(before);
  const maximum = [
    { tags: accountTags + raise, max: change.accountMax },
    // An empty record cannot exceed the limit of a resource.
    { tags: count, max: count === 0 ? Infinity : (change.resourceMax ?? Infinity) },
  ].find(({ tags, max }) => raise > 0 && tags > max)?.max;
  if (maximum !== undefined) return { kind: 'too many', maximum };
  const { resource, name, at } = change;
  const updatedAt = before === undefined ? at : Math.max(at, before.updatedAt + 1);
  return { kind: 'set', record: { resource, name, tags: { ...change.tags }, updatedAt } };
}

/** Tests if `If-Match` allows writing a record (TAG-045 to TAG-049). */
export function mayWrite(header: string | null, before: TagRecord | undefined): boolean {
  return header === null || ifMatch(header, before && etagOf(before.tags));
}

/**
 * Counts the tags of a record for its account (TAG-142). An empty record counts as one, to bound the number of records.
 */
export function countRecord(record: Pick<TagRecord, 'tags'> | undefined): number {
  return record === undefined ? 0 : Math.max(1, countTags(record.tags));
}

export function countTags(tags: Tags): number {
  return Object.keys(tags).length;
}
