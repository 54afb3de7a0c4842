import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import type { ObjectId } from '../object/object-id.ts';
import type { RefRecord } from './ref-record.ts';
import { Scheduler } from '../work/scheduler.ts';
import { byName, packed } from './made-refs.test.util.ts';
import { packRefs, recordsOf } from './packed-refs.ts';
import { RefList } from './ref-list.ts';
import type { RefName } from './ref-name.ts';

const work = new Scheduler().begin();
const names = fc
  .string({ unit: fc.constantFrom('a', 'b', '/', '-', 'é', '🎉', '\uffee'), maxLength: 5 })
  .map((text) => `refs/heads/x${text}` as RefName);
const oids = fc.nat(9).map((digit) => String(digit).repeat(40) as ObjectId);
const targets = fc.record({
  oid: oids,
  kind: fc.constantFrom('commit' as const, 'tag' as const),
  peeled: fc.option(oids.filter((oid) => !oid.startsWith('0'))),
});
const lists = fc
  .uniqueArray(fc.record({ name: names, target: targets }), { selector: ({ name }) => name, maxLength: 20 })
  .map((some) => some.map(({ name, target }): RefRecord => ({ name, ...target })).sort(byName));
const changes = fc.uniqueArray(fc.record({ name: names, target: fc.option(targets, { freq: 2 }) }), {
  selector: ({ name }) => name,
  maxLength: 12,
});

/** A list in chunks of a few. */
function listOf(records: readonly RefRecord[], size: number): RefList {
  const chunks = [];
  for (let from = 0; from < records.length; from += size) chunks.push(packed(records.slice(from, from + size)));
  return new RefList(chunks);
}

function recordsIn(list: RefList, prefix = ''): readonly RefRecord[] {
  return [...list.below(prefix)].flatMap((slice) => [...recordsOf(slice)]);
}

test.prop([lists, fc.integer({ min: 1, max: 5 }), names])(
  'finds what is there, by name and by prefix',
  (records, size, name) => {
    const list = listOf(records, size);
    expect(recordsIn(list)).toEqual(records);
    expect(recordsIn(list, name)).toEqual(records.filter((one) => one.name.startsWith(name)));
    expect(list.find(name)).toEqual(records.find((one) => one.name === name));
  },
);

test.prop([lists, fc.integer({ min: 1, max: 5 }), changes, fc.integer({ min: 1, max: 5 })])(
  'after changes is what a map of them says',
  async (records, size, made, pageSize) => {
    const expected = new Map(records.map((one) => [one.name, one]));
    for (const { name, target } of made) {
      if (target === null) expected.delete(name);
      else expected.set(name, { name, ...target });
    }
    const sorted = made.toSorted(byName);
    const pages = [];
    for (let from = 0; from < sorted.length; from += pageSize)
      pages.push(packRefs(sorted.slice(from, from + pageSize)));
    const before = listOf(records, size);
    const after = await before.after(pages, work);
    expect(recordsIn(after)).toEqual([...expected.values()].sort(byName));
    expect(recordsIn(before)).toEqual(records);
    if (made.length === 0) expect(after).toBe(before);
  },
);

it('shares what a change leaves alone, and keeps its chunks small', async () => {
  const refs = Array.from({ length: 5_000 }, (_, i) => ({
    name: `refs/heads/${String(i).padStart(5, '0')}` as RefName,
    target: { oid: '1'.repeat(40) as ObjectId, kind: 'commit' as const, peeled: null },
  }));
  const list = await new RefList([]).after([packRefs(refs)], work);
  expect(list.chunks.every(({ count }) => count <= 1_024)).toBe(true);
  const changed = await list.after([packRefs([{ name: 'refs/heads/02500x' as RefName, target: null }])], work);
  expect(changed.chunks.filter((chunk) => !list.chunks.includes(chunk))).toHaveLength(1);
  expect(list.size / 5_000).toBeLessThan(60);
});
