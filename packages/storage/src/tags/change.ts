import { etagOf, ifMatch, type Tags } from '@packhouse/tag-filter';
import type { SetTagsOutcome, TagChange, TagRecord } from '@packhouse/hosting';

/**
 * What a change makes of a record (TAG-149).
 *
 * @param before the record as it is, undefined without one.
 * @param accountTags tags in all records of the account before the change.
 */
export function changed(change: TagChange, before: TagRecord | undefined, accountTags: number): SetTagsOutcome {
  if (!mayWrite(change.ifMatch, before)) return { kind: 'no match' };
  const count = countTags(change.tags);
  const raise = count - countTags(before?.tags ?? {});
  const maximum = [
    { tags: accountTags + raise, max: change.accountMax },
    { tags: count, max: change.resourceMax ?? Infinity },
  ].find(({ tags, max }) => raise > 0 && tags > max)?.max;
  if (maximum !== undefined) return { kind: 'too many', maximum };
  const { resource, name, at } = change;
  const updatedAt = before === undefined ? at : Math.max(at, before.updatedAt + 1);
  return { kind: 'set', record: { resource, name, tags: { ...change.tags }, updatedAt } };
}

/** Whether `If-Match` lets a record be written (TAG-045 to TAG-049). */
export function mayWrite(header: string | null, before: TagRecord | undefined): boolean {
  return header === null || ifMatch(header, before && etagOf(before.tags));
}

export function countTags(tags: Tags): number {
  return Object.keys(tags).length;
}
