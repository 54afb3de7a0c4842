import { etagOf, ifMatch, matches, type Tags } from '@packhouse/tag-filter';
import type { ResourceIdentity, TagPart, TagRecord, TagSlice, TagStore, TagStores } from '../model/tag-store.ts';

/**
 * Makes a minimal tag store for tests of code that uses one. It sorts by UTF-16 units, compares names case-sensitively,
 * and ignores `lengthMax` and the tag limits, except for `accountMax` 0. The contract suite tests real stores.
 */
export function simpleTagStores(): TagStores & { readonly records: (account: string) => readonly TagRecord[] } {
  const accounts = new Map<string, Map<string, TagRecord>>();
  const kept = new Map<string, string>();
  const recordsOf = (account: string): Map<string, TagRecord> => {
    const records = accounts.get(account) ?? new Map<string, TagRecord>();
    accounts.set(account, records);
    return records;
  };
  const inOrder = (account: string): TagRecord[] =>
    [...recordsOf(account)].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, record]) => record);
  const stores = (account: string): TagStore => simpleTagStore(recordsOf(account), () => inOrder(account), kept);
  return Object.assign(stores, { records: inOrder });
}

function simpleTagStore(
  records: Map<string, TagRecord>,
  inOrder: () => readonly TagRecord[],
  kept: Map<string, string>,
): TagStore {
  const etag = (record: TagRecord | undefined): string | undefined => record && etagOf(record.tags);
  const tags = (type: string | null = null): readonly (readonly [string, string])[] =>
    inOrder().flatMap((record) => (type === null || record.resource.type === type ? Object.entries(record.tags) : []));
  const valuesOf = (key: string, type: string | null): readonly string[] =>
    distinct(tags(type).flatMap(([each, value]) => (each === key ? [value] : [])));
  const keys = (): readonly string[] => distinct(tags().map(([key]) => key));
  return {
    record: async (resource) => records.get(placeOf(resource)),
    async set({ resource, name, tags: map, ifMatch: header, at, accountMax }) {
      const before = records.get(placeOf(resource));
      if (!ifMatch(header, etag(before))) return { kind: 'no match' };
      if (accountMax === 0 && countOf(map) > 0) return { kind: 'too many', maximum: accountMax };
      const record = { resource, name, tags: map, updatedAt: Math.max(at, (before?.updatedAt ?? 0) + 1) };
      records.set(placeOf(resource), record);
      return { kind: 'set', record };
    },
    async remove(resource, header) {
      if (!ifMatch(header, etag(records.get(placeOf(resource))))) return 'no match';
      return records.delete(placeOf(resource)) ? 'removed' : 'missing';
    },
    async rename(resource, name) {
      const record = records.get(placeOf(resource));
      if (record !== undefined) records.set(placeOf(resource), { ...record, name });
    },
    async resources({ types, ids, name, filters, caseInsensitive }, slice) {
      const found = inOrder().filter(
        (record) =>
          countOf(record.tags) > 0 &&
          (types.length === 0 || types.includes(record.resource.type)) &&
          (ids.length === 0 || ids.includes(record.resource.id)) &&
          record.name.includes(name) &&
          filters.every((filter) => matches(filter, record.tags, { caseInsensitive })),
      );
      return part(found, { ...slice, after: slice.after && placeOf(slice.after) }, ({ resource }) => placeOf(resource));
    },
    keys: async (slice) => part(keys(), slice, (key) => key),
    values: async (key, type, slice) => part(valuesOf(key, type), slice, (value) => value),
    summary: async (slice) =>
      part(
        keys().map((key) => ({ key, values: valuesOf(key, null) })),
        slice,
        ({ key }) => key,
      ),
    keepPlace: async (id, place) => void kept.set(id, place),
    keptPlace: async (id) => kept.get(id),
  };
}

function placeOf({ type, zone, parent, id }: ResourceIdentity): string {
  return [type, zone ?? '', parent ?? '', id].join('\0');
}

function countOf(tags: Tags): number {
  return Object.keys(tags).length;
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}

function part<T>(
  items: readonly T[],
  { limit, after }: Pick<TagSlice<unknown>, 'limit'> & { readonly after?: string | undefined },
  place: (item: T) => string,
): TagPart<T> {
  const following = items.filter((item) => after === undefined || place(item) > after);
  return { items: following.slice(0, limit), more: following.length > limit };
}
