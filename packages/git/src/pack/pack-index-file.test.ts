import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { objectIdToBytes, parseObjectId, type ObjectId } from '../object/object-id.ts';
import { PackError } from './pack-error.ts';
import { indexChecksumFits, parsePackIndexFile, writePackIndexFile } from './pack-index-file.ts';
import { PackTable } from './pack-table.ts';
import { stockGit, type StockGit } from './stock-git.test.util.ts';

const codec = nodeCodec();

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

  it('reads what git show-index shows, and writes the same bytes again', () => {
    const { index, crcs, packChecksum } = parsePackIndexFile(idx, pack.length);
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
    expect(Buffer.from(writePackIndexFile(index, crcs, packChecksum, codec)).equals(idx)).toBe(true);
    expect(indexChecksumFits(idx, codec)).toBe(true);
  });

  it('finds nothing that is not there', () => {
    const { index } = parsePackIndexFile(idx, pack.length);
    for (let first = 0; first < 256; first++) {
      const id = new Uint8Array(20).fill(first);
      expect(index.find(id, 0)).toBe(-1);
    }
  });

  test.prop([fc.nat(), fc.integer({ min: 1, max: 255 })], { numRuns: 300 })(
    'refuses a changed file or takes it whole',
    (place, change) => {
      const changed = Uint8Array.from(idx);
      const at = place % changed.length;
      changed[at] = (changed[at] as number) ^ change;
      expect(indexChecksumFits(changed, codec)).toBe(false);
      try {
        expect(parsePackIndexFile(changed, pack.length).index.count).toBe(600);
      } catch (error) {
        expect(error).toBeInstanceOf(PackError);
      }
    },
  );

  test.prop([fc.nat()])('refuses a file that is cut off', (place) => {
    expect(() => parsePackIndexFile(idx.subarray(0, place % idx.length), pack.length)).toThrow(PackError);
  });
});

it('writes and reads offsets beyond 2 and 4 GiB', () => {
  const ids = ['03', '02', '01'].map((byte) => objectIdToBytes(byte.repeat(20) as ObjectId));
  const offsets = Float64Array.of(12, 0x9000_0000, 0x5_0000_0001, 0x6_0000_0000);
  const table = new PackTable(Buffer.concat(ids), offsets);
  const bytes = writePackIndexFile(table, Uint32Array.of(1, 2, 0xffffffff), new Uint8Array(20), codec);
  const { index, crcs } = parsePackIndexFile(bytes, 0x6_0000_0014);
  expect([...index.offsets]).toEqual([...offsets]);
  expect([...crcs]).toEqual([1, 2, 0xffffffff]);
  expect(index.findId('01'.repeat(20) as ObjectId)).toBe(2);
});

test.prop([fc.array(fc.uint8Array({ minLength: 1, maxLength: 1 }), { maxLength: 300 })])(
  'finds the lowest offset of ids that stand twice',
  (firsts) => {
    const oids = new Uint8Array(firsts.length * 20);
    firsts.forEach((first, i) => oids.fill((first[0] as number) % 16, i * 20, i * 20 + 20));
    const table = new PackTable(
      oids,
      Uint32Array.from({ length: firsts.length + 1 }, (_, i) => 12 + i),
    );
    firsts.forEach((first, i) => {
      const expected = firsts.findIndex((other) => (other[0] as number) % 16 === (first[0] as number) % 16);
      expect(table.find(oids, i * 20)).toBe(expected);
    });
  },
);
