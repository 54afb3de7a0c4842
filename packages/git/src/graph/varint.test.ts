import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { VarintReader, VarintWriter } from './varint.ts';

const unsigned = fc.oneof(fc.nat(), fc.maxSafeNat());

describe('variable-length integers', () => {
  test.prop([
    fc.array(
      fc.oneof(
        unsigned.map((value) => ({ sign: false, value })),
        fc.integer().map((value) => ({ sign: true, value })),
      ),
    ),
  ])('what was written is read back, and nothing is left over', (items) => {
    const writer = new VarintWriter(1);
    for (const { sign, value } of items) {
      if (sign) writer.signed(value);
      else writer.unsigned(value);
    }
    const reader = new VarintReader(writer.bytes());
    expect(items.map(({ sign }) => (sign ? reader.signed() : reader.unsigned()))).toEqual(
      items.map(({ value }) => value),
    );
    expect(reader.done).toBe(true);
  });

  test.prop([fc.uint8Array({ maxLength: 24 })])(
    'arbitrary bytes are read or refused, never read past their end',
    (bytes) => {
      const reader = new VarintReader(bytes);
      try {
        while (!reader.done) expect(Number.isSafeInteger(reader.unsigned())).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
      expect(reader.position).toBeLessThanOrEqual(bytes.length);
    },
  );

  it('takes one byte below 128 and two below 16,384', () => {
    for (const [value, length] of [
      [127, 1],
      [128, 2],
      [16_383, 2],
      [16_384, 3],
    ] as const) {
      const writer = new VarintWriter();
      writer.unsigned(value);
      expect(writer.length).toBe(length);
    }
  });
});
