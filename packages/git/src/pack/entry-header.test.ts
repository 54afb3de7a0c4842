import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { newEntryHeader, offsetDelta, parseEntryHeader, writeDistance, writeEntryHeader } from './entry-header.ts';

const anySize = fc.oneof(fc.nat(300), fc.nat(), fc.maxSafeNat());

describe('entry headers', () => {
  test.prop([fc.constantFrom(1, 2, 3, 4), anySize])('of whole objects are read as written', (type, size) => {
    const bytes = new Uint8Array(20);
    const end = writeEntryHeader(bytes, 2, type, size);
    const header = newEntryHeader();
    expect(parseEntryHeader(bytes, 2, 20, header)).toBe(1);
    expect(header).toEqual({ type, size, distance: 0, baseAt: -1, length: end - 2 });
    for (let cut = 2; cut < end; cut++) expect(parseEntryHeader(bytes, 2, cut, header)).toBe(0);
  });

  test.prop([anySize, anySize])('of offset deltas are read as written', (size, distance) => {
    const bytes = new Uint8Array(30);
    const end = writeDistance(bytes, writeEntryHeader(bytes, 0, offsetDelta, size), distance);
    const header = newEntryHeader();
    expect(parseEntryHeader(bytes, 0, 30, header)).toBe(1);
    expect(header).toEqual({ type: offsetDelta, size, distance, baseAt: -1, length: end });
    for (let cut = 0; cut < end; cut++) expect(parseEntryHeader(bytes, 0, cut, header)).toBe(0);
  });

  test.prop([fc.uint8Array({ maxLength: 40 })])('are never read beyond their end', (bytes) => {
    const header = newEntryHeader();
    if (parseEntryHeader(bytes, 0, bytes.length, header) === 1) expect(header.length).toBeLessThanOrEqual(bytes.length);
  });

  it('GIT-143: of unknown types or sizes beyond 2^53 are invalid', () => {
    const header = newEntryHeader();
    expect(parseEntryHeader(Uint8Array.of(0x00, 0), 0, 2, header)).toBe(-1);
    expect(parseEntryHeader(Uint8Array.of(0x50, 0), 0, 2, header)).toBe(-1);
    expect(parseEntryHeader(new Uint8Array(20).fill(0xbf), 0, 20, header)).toBe(-1);
    expect(parseEntryHeader(Uint8Array.of(0x61, ...new Uint8Array(20).fill(0xff)), 0, 21, header)).toBe(-1);
  });

  it('has the distance encoding of gitformat-pack', () => {
    // 128 is the first of two bytes: each continuation adds one, so that no number has two forms.
    const bytes = new Uint8Array(4);
    expect(writeDistance(bytes, 0, 127)).toBe(1);
    expect(writeDistance(bytes, 0, 128)).toBe(2);
    expect([...bytes.subarray(0, 2)]).toEqual([0x80, 0x00]);
    expect(writeDistance(bytes, 0, 16511)).toBe(2);
    expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0x7f]);
    expect(writeDistance(bytes, 0, 16512)).toBe(3);
  });
});
