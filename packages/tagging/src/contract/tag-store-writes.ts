import type { SetTagsOutcome, TagChange, TagRecord, TagStore } from '../model/tag-store.ts';
import { etagOf } from '@packhouse/tag-filter';
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { anyName, anyTags, change, everything, nameOf, plainObjects, resource } from './tag-store-samples.ts';

/** Only a few resources, so that several writes often change the same one. */
const resources = [resource('worker', 'a'), resource('worker', 'A'), resource('zone', 'a', { zone: 'z' })];

const anyWrite = fc.record(
  {
    kind: fc.constantFrom('set', 'set', 'set', 'remove', 'rename'),
    resource: fc.constantFrom(...resources),
    tags: anyTags,
    name: anyName,
    at: fc.integer({ min: 1000, max: 1010 }),
    header: fc.constantFrom('none', 'none', 'current', 'empty', 'any', 'other'),
    accountMax: fc.constantFrom(3, 6, 10_000),
    resourceMax: fc.constantFrom(null, null, 1, 2),
  },
  plainObjects,
);

/** Compares arbitrary sequences of writes with a plain model, by outcomes and stored records. */
export function testTagWrites(open: (account: string) => TagStore): void {
  let run = 0;
  test.prop({ writes: fc.array(anyWrite, { maxLength: 25 }) }, { numRuns: 80 })(
    'TAG-045 to TAG-053, TAG-062, TAG-142, TAG-143: writes have the outcomes of the plain model',
    async ({ writes }) => {
      const store = open(`writes${(run += 1)}`);
      const records = new Map<string, TagRecord>();
      for (const { kind, header, ...write } of writes) {
        const of = write.resource;
        const before = records.get(nameOf(of));
        const etag = etagOf(before?.tags ?? {});
        const ifMatch =
          { none: null, current: `"${etag}"`, empty: etagOf({}), any: '*', other: '"v1:x"' }[header] ?? null;
        const matched = {
          none: true,
          current: true,
          empty: etag === etagOf({}),
          any: before !== undefined,
          other: false,
        }[header];
        if (kind === 'rename') {
          await store.rename(of, write.name);
          if (before !== undefined) records.set(nameOf(of), { ...before, name: write.name });
        } else if (kind === 'remove') {
          const expected = matched === true ? (before === undefined ? 'missing' : 'removed') : 'no match';
          expect(await store.remove(of, ifMatch)).toBe(expected);
          if (expected === 'removed') records.delete(nameOf(of));
        } else {
          const given = change(of, write.tags, { ...write, ifMatch });
          const expected = matched === true ? expectedOf(given, records) : { kind: 'no match' as const };
          expect(await store.set(given)).toEqual(expected);
          if (expected.kind === 'set') records.set(nameOf(of), expected.record);
        }
      }
      for (const of of resources) expect(await store.record(of)).toEqual(records.get(nameOf(of)));
      const { items } = await store.resources(everything, { limit: 9 });
      expect(items).toHaveLength([...records.values()].filter(({ tags }) => Object.keys(tags).length > 0).length);
    },
  );
}

/** Returns the outcome of a change in the model. */
function expectedOf(given: TagChange, records: ReadonlyMap<string, TagRecord>): SetTagsOutcome {
  const before = records.get(nameOf(given.resource));
  const count = (record: Pick<TagRecord, 'tags'> | undefined) => Object.keys(record?.tags ?? {}).length;
  const weight = (record: Pick<TagRecord, 'tags'>): number => Math.max(1, count(record));
  const others = [...records.values()].filter((record) => record !== before).reduce((sum, one) => sum + weight(one), 0);
  if (weight(given) > (before === undefined ? 0 : weight(before))) {
    if (others + weight(given) > given.accountMax) return { kind: 'too many', maximum: given.accountMax };
    if (given.resourceMax !== null && count(given) > given.resourceMax)
      return { kind: 'too many', maximum: given.resourceMax };
  }
  const { resource: of, name, tags, at } = given;
  const updatedAt = before !== undefined && before.updatedAt >= at ? before.updatedAt + 1 : at;
  return { kind: 'set', record: { resource: of, name, tags, updatedAt } };
}
