import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { objectIdToBytes, parseObjectId, type ObjectId } from '../object/object-id.ts';
import { PackError } from './pack-error.ts';
import { indexChecksumFits, parsePackIndexFile, writePackIndexFile } from './pack-index-file.ts';
import { sliceUnits } from '../work/costs.ts';
import { Scheduler } from '../work/scheduler.ts';
import { PackTable } from './pack-table.ts';
import { stockGit, type StockGit } from './stock-git.test.util.ts';

const codec = nodeCodec();
const work = new Scheduler().begin();

describe('beside git index-pack', () => {
  let git: StockGit;
  let idx: Uint8Array;
  let pack: Uint8Array;

  beforeAll(() => {
    git = stockGit();
    const stream = Array.from({ length: 600 }, (_, i) => `blob\ndata ${String(i).length}\n${i}\n`).join('');
    git.run(['fast-import', '--quiet'], stream);
    const ids = git.run(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)']);
    const name = git.run(['pack-objects', '-q', 'p'], ids).toString().trim();
    pack = readFileSync(join(git.folder, `p-${name}.pack`));
    idx = readFileSync(join(git.folder, `p-${name}.idx`));
  });
  afterAll(() => git.remove());

  it('reads what git show-index shows, and writes the same bytes again', async () => {
    const { index, crcs, packChecksum } = await parsePackIndexFile(idx, pack.length, work);
    const shown = git.run(['show-index'], idx).toString().trim().split('\n');
    expect(index.count).toBe(600);
    for (const line of shown) {
      const [offset, id, crc] = line.split(/[ ()]+/) as [string, string, string];
      const ordinal = index.findId(parseObjectId(id) as ObjectId);
      expect(index.offsets[ordinal]).toBe(Number(offset));
      expect(crcs[ordinal]).toBe(Number.parseInt(crc, 16));
      expect(index.id(ordinal)).toBe(id);
      expect(index.atOffset(Number(offset))).toBe(ordinal);
    }
    expect(index.offsets[600]).toBe(pack.length - 20);
    expect(Buffer.from(await writePackIndexFile(index, crcs, packChecksum, codec, work)).equals(idx)).toBe(true);
    expect(await indexChecksumFits(idx, codec, work)).toBe(true);
  });

  it('finds nothing that is not there', async () => {
    const { index } = await parsePackIndexFile(idx, pack.length, work);
    for (let first = 0; first < 256; first++) {
      const id = new Uint8Array(20).fill(first);
      expect(index.find(id, 0)).toBe(-1);
    }
  });

  test.prop([fc.nat(), fc.integer({ min: 1, max: 255 })], { numRuns: 300 })(
    'refuses a changed file or takes it whole',
    async (place, change) => {
      const changed = Uint8Array.from(idx);
      const at = place % changed.length;
      changed[at] = (changed[at] as number) ^ change;
      expect(await indexChecksumFits(changed, codec, work)).toBe(false);
      try {
        expect((await parsePackIndexFile(changed, pack.length, work)).index.count).toBe(600);
      } catch (error) {
        expect(error).toBeInstanceOf(PackError);
      }
    },
  );

  test.prop([fc.nat()])('refuses a file that is cut off', async (place) => {
    const cut = idx.subarray(0, place % idx.length);
    await expect(parsePackIndexFile(cut, pack.length, work)).rejects.toThrow(PackError);
  });
});

it('writes and reads offsets beyond 2 and 4 GiB', async () => {
  const ids = ['03', '02', '01'].map((byte) => objectIdToBytes(byte.repeat(20) as ObjectId));
  const offsets = Float64Array.of(12, 0x9000_0000, 0x5_0000_0001, 0x6_0000_0000);
  const table = await PackTable.of(Buffer.concat(ids), offsets, work);
  const crcsBefore = Uint32Array.of(1, 2, 0xffffffff);
  const bytes = await writePackIndexFile(table, crcsBefore, new Uint8Array(20), codec, work);
  const { index, crcs } = await parsePackIndexFile(bytes, 0x6_0000_0014, work);
  expect([...index.offsets]).toEqual([...offsets]);
  expect([...crcs]).toEqual([1, 2, 0xffffffff]);
  expect(index.findId('01'.repeat(20) as ObjectId)).toBe(2);
});

test.prop([fc.array(fc.uint8Array({ minLength: 1, maxLength: 1 }), { maxLength: 300 })])(
  'finds the lowest offset of ids that stand twice',
  async (firsts) => {
    const oids = new Uint8Array(firsts.length * 20);
    firsts.forEach((first, i) => oids.fill((first[0] as number) % 16, i * 20, i * 20 + 20));
    const offsets = Uint32Array.from({ length: firsts.length + 1 }, (_, i) => 12 + i);
    const table = await PackTable.of(oids, offsets, work);
    firsts.forEach((first, i) => {
      const expected = firsts.findIndex((other) => (other[0] as number) % 16 === (first[0] as number) % 16);
      expect(table.find(oids, i * 20)).toBe(expected);
    });
  },
);

it('reads, writes and sorts a large index in short stretches', async () => {
  const scheduler = new Scheduler();
  const count = 400_000;
  const oids = new Uint8Array(count * 20);
  // Half of the ids share their first bytes, which nothing but effort prevents.
  for (let i = 0; i < oids.length; i++) oids[i] = i % 40 < 8 ? 0 : Math.imul(i, 0x9e37_79b1) >>> 24;
  const offsets = Uint32Array.from({ length: count + 1 }, (_, i) => 12 + 30 * i);
  const table = await PackTable.of(oids, offsets, scheduler.begin());
  const file = await writePackIndexFile(table, new Uint32Array(count), new Uint8Array(20), codec, scheduler.begin());
  const packSize = (offsets[count] as number) + 20;
  const { index } = await parsePackIndexFile(file, packSize, scheduler.begin());
  expect(index.offsets).toEqual(offsets);
  expect(index.byId).toEqual(table.byId);
  expect(scheduler.longestStretch).toBeLessThan(2 * sliceUnits);
});
