import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { equalBytes, referenceFraming, sampleBytes } from '@packhouse/git/contract';
import { framed, payloadSize, plain, storedOffset, storedSize, stretches, type Layout } from './layout.ts';

/** Sizes near frame borders. */
const sizes = fc
  .tuple(fc.nat(3), fc.integer({ min: -3, max: 3 }), fc.boolean(), fc.nat(200_000))
  .map(([frames, off, near, any]) => (near ? Math.max(0, frames * 65_515 + off) : any));

describe('layouts of objects', () => {
  test.prop([sizes], { numRuns: 40 })('a framed file equals the reference byte by byte', (size) => {
    const payload = sampleBytes(size);
    const stored = referenceFraming(payload);
    expect(storedSize(framed, size)).toBe(stored.length);
    expect(payloadSize(framed, stored.length)).toBe(size);
    for (const offset of [0, 1, 65_514, 65_515, 65_516, 131_029, 131_030, size - 1]) {
      if (offset >= 0 && offset < size) expect(stored[storedOffset(framed, offset)]).toBe(payload[offset]);
    }
  });

  test.prop([sizes, fc.nat(), fc.nat(), fc.boolean()], { numRuns: 60 })(
    'the stretches of any stored bytes are their payload, in order and without overlap',
    (size, a, b, isFramed) => {
      const layout: Layout = isFramed ? framed : plain;
      const payload = sampleBytes(size);
      const stored = isFramed ? referenceFraming(payload) : payload;
      const [start, end] = [a % (stored.length + 1), b % (stored.length + 1)].sort((x, y) => x - y) as [number, number];
      const found = [...stretches(layout, start, end - start)];
      const bytes = stored.subarray(start, end);
      for (const { offset, at, length } of found) {
        expect(equalBytes(bytes.subarray(at, at + length), payload.subarray(offset, offset + length))).toBe(true);
      }
      found.forEach(({ offset }, i) => {
        const before = found[i - 1];
        if (before !== undefined) expect(offset).toBe(before.offset + before.length);
      });
      const expected = [...payload.keys()].filter((offset) => {
        const place = storedOffset(layout, offset);
        return place >= start && place < end;
      });
      expect(found.reduce((sum, { length }) => sum + length, 0)).toBe(expected.length);
      expect(found[0]?.offset).toBe(expected[0]);
    },
  );
});
