import type { ResourceIdentity, TagChange, TaggedResourceList, TagPart, TagStore } from '../model/tag-store.ts';
import { createTagFilter, type TagFilter, type TagFilterInput, type Tags } from '@packhouse/tag-filter';
import { fc } from '@fast-check/vitest';

export function resource(type: string, id: string, more: Partial<ResourceIdentity> = {}): ResourceIdentity {
  return { type, zone: null, parent: null, id, ...more };
}

export function change(of: ResourceIdentity, tags: Tags, more: Partial<TagChange> = {}): TagChange {
  return { resource: of, name: of.id, tags, ifMatch: null, at: 1000, accountMax: 10_000, resourceMax: null, ...more };
}

/** Lists every tagged resource. */
export const everything: TaggedResourceList = { types: [], ids: [], name: '', filters: [], caseInsensitive: false };

export function filtered(...filters: readonly TagFilterInput[]): TaggedResourceList {
  return { ...everything, filters: filters.map(createTagFilter) };
}

/** Returns all pages of a list. Calls `between` after each page except the last. */
export async function walk<Item, Place>(
  page: (after: Place | undefined) => Promise<TagPart<Item>>,
  placeOf: (item: Item) => Place,
  between: () => Promise<unknown> = async () => undefined,
): Promise<(readonly Item[])[]> {
  const pages: (readonly Item[])[] = [];
  for (let after: Place | undefined; ;) {
    const { items, more } = await page(after);
    pages.push(items);
    if (!more) return pages;
    // An empty page with more to come would make an endless loop.
    after = placeOf(items.at(-1) as Item);
    await between();
  }
}

/** Returns the identities of all matching resources, in the order of the store. */
export async function listed(store: TagStore, list: TaggedResourceList = everything): Promise<string[]> {
  const { items } = await store.resources(list, { limit: 1000 });
  return items.map((item) => nameOf(item.resource));
}

export function nameOf({ type, zone, parent, id }: ResourceIdentity): string {
  return JSON.stringify([type, zone, parent, id]);
}

/** Compares by code point in a plain way. */
export function compareCodePoints(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  const index = a.findIndex((character, i) => character !== b[i]);
  if (index < 0) return a.length - b.length;
  return (a[index]?.codePointAt(0) ?? -1) - (b[index]?.codePointAt(0) ?? -1);
}

/** Similar texts, with differences that are easily confused. */
const tricky = [
  'a',
  'A',
  'ab',
  'a\u0001',
  'a\u0001b',
  '\u0001',
  ' a',
  '\uFEFFa',
  '\uFFFD',
  '\u{1F600}',
  '\uE000',
  'ß',
  'SS',
];
const wild = ['%', '_', '*', '?', "'", '"', '\\', ';--', '[]', '__proto__', 'constructor', 'null', '1', '01', '1.0'];

const anyText = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...tricky, ...wild) },
  fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }).map((text) => text.replaceAll('\0', 'z')),
);

export const anyKey: fc.Arbitrary<string> = fc.constantFrom(
  'env',
  'ENV',
  'Env',
  'team',
  'Straße',
  'STRASSE',
  '__proto__',
  'constructor',
  '10',
  '9',
  '𐐀',
  'ﬁ',
);

export const anyValue: fc.Arbitrary<string> = fc.oneof(fc.constantFrom('', 'prod', 'Prod', 'dev'), anyText);

export const anyTags: fc.Arbitrary<Tags> = fc
  .array(fc.tuple(anyKey, anyValue), { maxLength: 4 })
  .map((entries) => Object.fromEntries(entries));

export const anyType: fc.Arbitrary<string> = fc.constantFrom('worker', 'worker_version', 'zone', 'dns_record');

/** Excludes objects with a null prototype: callers never make them, and they cannot pass between isolates. */
export const plainObjects: { readonly noNullPrototype: true } = { noNullPrototype: true };

export const anyResource: fc.Arbitrary<ResourceIdentity> = fc.record(
  {
    type: anyType,
    zone: fc.constantFrom(null, null, 'z1', 'z10', 'Z'),
    parent: fc.oneof(fc.constant(null), anyText),
    id: anyText,
  },
  plainObjects,
);

export const anyName: fc.Arbitrary<string> = anyText;

export const anyFilter: fc.Arbitrary<TagFilter> = fc
  .record({
    key: anyKey,
    test: fc.constantFrom('has', 'lacks', 'one-of', 'none-of'),
    values: fc.oneof(
      anyValue.map((value) => [value]),
      fc.array(
        anyValue.filter((value) => value !== ''),
        { minLength: 1, maxLength: 10 },
      ),
    ),
  })
  .map(createTagFilter);

export const anyList: fc.Arbitrary<TaggedResourceList> = fc.record(
  {
    types: fc.oneof(fc.constant([]), fc.array(anyType, { maxLength: 3 })),
    ids: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(anyText, { maxLength: 8 })),
    name: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, fc.constantFrom('A', 'a', 'ss', 'ẞ'), anyText),
    filters: fc.array(anyFilter, { maxLength: 3 }),
    caseInsensitive: fc.boolean(),
  },
  plainObjects,
);
