import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { sliceUnits } from '../work/costs.ts';
import { Scheduler } from '../work/scheduler.ts';
import { PackError } from './pack-error.ts';
import { writePackIndexFile } from './pack-index-file.ts';
import { PackTable } from './pack-table.ts';
import { StoredIndex } from './stored-index.ts';

const codec = nodeCodec();
const work = new Scheduler().begin();

/** Ids with many equal bytes, and gaps between offsets of all sizes. */
const entries = fc.array(
  fc.record({
    id: fc.uint8Array({ minLength: 3, maxLength: 3 }),
    gap: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 0x4000_0000 })),
  }),
  { maxLength: 80 },
);

async function written(of: readonly { readonly id: Uint8Array; readonly gap: number }[]) {
  const oids = new Uint8Array(of.length * 20);
  const offsets = new Float64Array(of.length + 1);
  let at = 12;
  of.forEach(({ id, gap }, i) => {
    oids.set(
      id.map((byte) => byte % 5),
      i * 20,
    );
    offsets[i] = at;
    at += gap;
  });
  offsets[of.length] = at;
  const table = await PackTable.of(oids, at <= 0xffff_ffff ? Uint32Array.from(offsets) : offsets, work);
  const file = await writePackIndexFile(table, new Uint32Array(of.length), new Uint8Array(20), codec, work);
  return { table, file, oids };
}

test.prop([entries, fc.array(fc.uint8Array({ minLength: 3, maxLength: 3 }))])(
  'finds and names what a table in memory does',
  async (of, others) => {
    const { table, file, oids } = await written(of);
    const index = await StoredIndex.open(file, table.offsets, work);
    expect(index.count).toBe(table.count);
    for (let ordinal = 0; ordinal < index.count; ordinal++) {
      expect(index.find(oids, ordinal * 20)).toBe(table.find(oids, ordinal * 20));
      expect(index.id(ordinal)).toBe(table.id(ordinal));
      expect(index.findId(table.id(ordinal))).toBe(table.findId(table.id(ordinal)));
    }
    for (const start of others) {
      const id = new Uint8Array(20);
      id.set(start.map((byte) => byte % 6));
      expect(index.find(id, 0)).toBe(table.find(id, 0));
    }
  },
);

test.prop([entries.filter((of) => of.length > 0), fc.nat(), fc.integer({ min: 1, max: 255 })])(
  'refuses a changed file, or finds every object in it',
  async (of, place, change) => {
    const { table, file } = await written(of);
    const at = place % file.length;
    file[at] = (file[at] as number) ^ change;
    try {
      const index = await StoredIndex.open(file, table.offsets, work);
      for (let ordinal = 0; ordinal < of.length; ordinal++) {
        const id = index.id(ordinal);
        expect(index.id(index.findId(id))).toBe(id);
      }
    } catch (error) {
      expect(error).toBeInstanceOf(PackError);
    }
  },
);

test.prop([entries.filter((of) => of.length > 1), fc.nat()])(
  'refuses a file that is cut off, or of another pack',
  async (of, place) => {
    const { table, file } = await written(of);
    const cut = file.subarray(0, place % file.length);
    await expect(StoredIndex.open(cut, table.offsets, work)).rejects.toThrow(PackError);
    const moved = table.offsets.map((offset, i) => (i === of.length - 1 ? offset + 0.5 : offset));
    const others = [
      table.offsets.subarray(1),
      moved instanceof Float64Array ? moved : Float64Array.from(table.offsets).fill(1, 0, 1),
    ];
    for (const other of others) await expect(StoredIndex.open(file, other, work)).rejects.toThrow(PackError);
  },
);

it('opens a large index in short stretches', async () => {
  const scheduler = new Scheduler();
  const count = 400_000;
  const oids = new Uint8Array(count * 20);
  for (let i = 0; i < oids.length; i++) oids[i] = Math.imul(i, 0x9e37_79b1) >>> 24;
  // Nearly all entries are at the front of a long pack.
  const offsets = Float64Array.from({ length: count + 1 }, (_, i) => (i === count ? 2 ** 40 : 12 + 3 * i));
  const table = await PackTable.of(oids, offsets, work);
  const file = await writePackIndexFile(table, new Uint32Array(count), new Uint8Array(20), codec, work);
  const index = await StoredIndex.open(file, offsets, scheduler.begin());
  for (let ordinal = 0; ordinal < count; ordinal += 1_000) expect(index.id(ordinal)).toBe(table.id(ordinal));
  expect(scheduler.longestStretch).toBeLessThan(2 * sliceUnits);
});
