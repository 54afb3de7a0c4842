import type { TaggedResourceList, TagRecord, TagSlice, TagStore } from '../model/tag-store.ts';
import { foldCase, matches } from '@packhouse/tag-filter';
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import {
  anyKey,
  anyList,
  anyName,
  anyResource,
  anyTags,
  anyType,
  change,
  compareCodePoints,
  nameOf,
  plainObjects,
  walk,
} from './tag-store-samples.ts';

const anySet = fc.record({ resource: anyResource, name: anyName, tags: anyTags });
const anySlice = fc.record(
  { limit: fc.integer({ min: 1, max: 5 }), lengthMax: fc.integer({ min: 0, max: 40 }) },
  { requiredKeys: ['limit'], ...plainObjects },
) as fc.Arbitrary<TagSlice<never>>;

/** Compares lists of arbitrary records in any order with a plain model, page by page, while other writes happen. */
export function testTagLists(open: (account: string) => TagStore): void {
  let run = 0;
  /** Returns a new store for each run with some records, and these records. */
  const filled = async (
    sets: readonly { readonly resource: TagRecord['resource']; name: string; tags: TagRecord['tags'] }[],
  ) => {
    const store = open(`lists${(run += 1)}`);
    const records = new Map<string, TagRecord>();
    for (const { resource, name, tags } of sets) {
      const outcome = await store.set(change(resource, tags, { name }));
      if (outcome.kind === 'set') records.set(nameOf(resource), outcome.record);
    }
    return { store, records };
  };

  test.prop({ sets: fc.array(anySet, { maxLength: 14 }), list: anyList, slice: anySlice }, { numRuns: 150 })(
    'TAG-065, TAG-067 to TAG-073, TAG-075, TAG-076: every page of every list is that of the plain model',
    async ({ sets, list, slice }) => {
      const { store, records } = await filled(sets);
      const pages = await walk(
        (after: TagRecord['resource'] | undefined) => store.resources(list, { ...slice, ...(after && { after }) }),
        ({ resource }) => resource,
      );
      expect(pages.flat()).toEqual(expectedOf(records, list));
      checkPages(pages, slice, ({ tags }) => Object.entries(tags).flat().join('').length);
    },
  );

  test.prop(
    {
      sets: fc.array(anySet, { maxLength: 12 }),
      removed: fc.array(fc.nat(11), { maxLength: 4 }),
      key: anyKey,
      type: fc.option(anyType),
      slice: anySlice,
    },
    { numRuns: 100 },
  )('TAG-072, TAG-073: keys, values and summary are those of the plain model, page by page', async (given) => {
    const { sets, key, type, slice } = given;
    const { store, records } = await filled(sets);
    for (const index of given.removed) {
      const set = sets[index];
      if (set === undefined) continue;
      await store.remove(set.resource, null);
      records.delete(nameOf(set.resource));
    }
    const all = [...records.values()];
    const distinct = (texts: readonly string[]) => [...new Set(texts)].toSorted(compareCodePoints);
    const values = (of: string, only: string | null) =>
      distinct(
        all
          .filter(({ resource }) => only === null || resource.type === only)
          .flatMap(({ tags }) => Object.entries(tags).flatMap(([name, value]) => (name === of ? [value] : []))),
      );
    const keys = distinct(all.flatMap(({ tags }) => Object.keys(tags)));
    const following = (after: string | undefined) => ({ ...slice, ...(after !== undefined && { after }) });
    const textItself = (text: string) => text;

    const keyPages = await walk((after: string | undefined) => store.keys(following(after)), textItself);
    expect(keyPages.flat()).toEqual(keys);
    checkPages(keyPages, slice, (text) => text.length);
    const valuePages = await walk((after: string | undefined) => store.values(key, type, following(after)), textItself);
    expect(valuePages.flat()).toEqual(values(key, type));
    checkPages(valuePages, slice, (text) => text.length);
    const items = await walk(
      (after: string | undefined) => store.summary(following(after)),
      (item) => item.key,
    );
    expect(items.flat()).toEqual(keys.map((one) => ({ key: one, values: values(one, null) })));
    checkPages(items, slice, (item) => item.key.length + item.values.join('').length);
  });

  test.prop(
    {
      sets: fc.array(anySet, { minLength: 1, maxLength: 14 }),
      stable: fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }),
      writes: fc.array(fc.record({ set: anySet, remove: fc.boolean() }), { maxLength: 30 }),
      list: anyList,
      limit: fc.integer({ min: 1, max: 3 }),
    },
    { numRuns: 100 },
  )('TAG-079: a walk lists each record that matches throughout once, despite concurrent writes', async (given) => {
    const { list, limit } = given;
    const { store, records } = await filled(given.sets);
    const left = new Set([...records.keys()].filter((_, index) => given.stable[index]));
    const writes = given.writes.filter(({ set }) => !left.has(nameOf(set.resource)));
    const pages = await walk(
      (after: TagRecord['resource'] | undefined) => store.resources(list, { limit, ...(after && { after }) }),
      ({ resource }) => resource,
      async () => {
        for (const { set, remove } of writes.splice(0, 2)) {
          await (remove
            ? store.remove(set.resource, null)
            : store.set(change(set.resource, set.tags, { name: set.name })));
        }
      },
    );
    const seen = pages.flat().map(({ resource }) => nameOf(resource));
    expect(new Set(seen).size).toBe(seen.length);
    const stable = expectedOf(records, list).map(({ resource }) => nameOf(resource));
    expect(seen.filter((name) => left.has(name))).toEqual(stable.filter((name) => left.has(name)));
  });
}

function expectedOf(records: ReadonlyMap<string, TagRecord>, list: TaggedResourceList): readonly TagRecord[] {
  const { types, ids, name, filters, caseInsensitive } = list;
  const parts = ({ resource: { type, zone, parent, id } }: TagRecord) => [type, zone ?? '', parent ?? '', id];
  return [...records.values()]
    .filter(({ tags }) => Object.keys(tags).length > 0)
    .filter(({ resource }) => types.length === 0 || types.includes(resource.type))
    .filter(({ resource }) => ids.length === 0 || ids.includes(resource.id))
    .filter((record) => foldCase(record.name).includes(foldCase(name)))
    .filter(({ tags }) => matches(filters, tags, { caseInsensitive }))
    .toSorted((a, b) => {
      const [left, right] = [parts(a), parts(b)];
      return left.map((part, i) => compareCodePoints(part, right[i] as string)).find((order) => order !== 0) ?? 0;
    });
}

/**
 * Checks that every page except the last is full or long enough, and that no page is empty, except in an empty list.
 */
function checkPages<Item>(
  pages: readonly (readonly Item[])[],
  { limit, lengthMax = Infinity }: TagSlice<never>,
  lengthOf: (item: Item) => number,
): void {
  const sum = (items: readonly Item[]) => items.reduce((total, item) => total + lengthOf(item), 0);
  for (const [index, page] of pages.entries()) {
    expect(page.length).toBeLessThanOrEqual(limit);
    if (page.length > 1) expect(sum(page.slice(0, -1))).toBeLessThan(lengthMax);
    if (index < pages.length - 1) expect(page.length === limit || sum(page) >= lengthMax).toBe(true);
    if (pages.length > 1) expect(page.length).toBeGreaterThan(0);
  }
}
