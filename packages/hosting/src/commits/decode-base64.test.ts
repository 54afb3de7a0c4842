import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { decodeBase64 } from './decode-base64.ts';

const base64 = fc.oneof(
  fc.base64String(),
  fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')),
  fc.string({ unit: fc.constantFrom(...'AZaz09+/= \n\f\v-é'), maxLength: 12 }),
);

test.prop([base64, fc.array(fc.nat(300), { maxLength: 5 })], { numRuns: 1000 })(
  'decodes base64 as atob does, in any pieces',
  (text, cuts) => {
    const ends = [...cuts.toSorted((a, b) => a - b), text.length];
    const pieces = ends.map((end, number) => new TextEncoder().encode(text.slice(ends[number - 1] ?? 0, end)));
    let expected: Buffer | undefined;
    try {
      expected = Buffer.from(atob(text), 'latin1');
    } catch {
      // It is no base64.
    }
    const decoded = decodeBase64(pieces);
    expect(decoded && Buffer.concat(decoded)).toEqual(expected);
  },
);
