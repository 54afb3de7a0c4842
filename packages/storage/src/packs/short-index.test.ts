import { fc, it } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { restoreIndex, shortenIndex } from './short-index.ts';

/** Makes an index of version 2 with these ids, as gitformat-pack says, up to the values of its other tables. */
function indexOf(ids: readonly Uint8Array[]): Uint8Array {
  const sorted = ids.map((id) => Buffer.from(id)).sort((a, b) => a.compare(b));
  const table = Buffer.alloc(1_024);
  for (let first = 0; first < 256; first++) {
    table.writeUInt32BE(sorted.filter((id) => (id[0] as number) <= first).length, 4 * first);
  }
  const rest = Buffer.alloc(8 * sorted.length + 40, 7);
  return Uint8Array.from(Buffer.concat([Buffer.from('ff744f6300000002', 'hex'), table, ...sorted, rest]));
}

const ids = fc.array(fc.uint8Array({ minLength: 20, maxLength: 20 }), { maxLength: 300 });

describe('shortenIndex', () => {
  it.prop([ids])('keeps an index, and saves its table if it has fewer than 256 objects', (some) => {
    const idx = indexOf(some);
    const row = shortenIndex(idx);
    expect(restoreIndex(row)).toEqual(idx);
    expect(row.length).toBe(some.length < 256 ? idx.length - 1_030 : idx.length + 1);
  });

  it.prop([ids, fc.nat(), fc.integer({ min: 1, max: 255 }), fc.boolean()])(
    'keeps bytes that are not a valid index',
    (some, at, difference, isCut) => {
      const bytes = indexOf(some);
      const place = at % bytes.length;
      bytes[place] = (bytes[place] as number) ^ difference;
      const given = isCut ? bytes.subarray(0, place) : bytes;
      expect(restoreIndex(shortenIndex(given))).toEqual(Uint8Array.from(given));
    },
  );

  it.prop([fc.uint8Array()])('keeps any bytes', (bytes) => {
    expect(restoreIndex(shortenIndex(bytes))).toEqual(Uint8Array.from(bytes));
  });
});
