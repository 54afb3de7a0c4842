import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { GatheredBytes } from './gathered-bytes.ts';

test.prop([fc.array(fc.nat({ max: 40_000 }), { maxLength: 30 })])(
  'yields the bytes that were added, in their order and in few pieces',
  (lengths) => {
    const gathered = new GatheredBytes();
    const added: Uint8Array[] = [];
    const yielded: Uint8Array[] = [];
    for (const [i, length] of lengths.entries()) {
      const bytes = new Uint8Array(length + 2).fill(i + 1);
      added.push(bytes.slice(1, -1));
      if (gathered.add(bytes, 1, length + 1)) continue;
      for (const piece of gathered.pass(bytes, 1, length + 1)) yielded.push(piece.slice());
    }
    yielded.push(gathered.take().slice());
    expect(Buffer.concat(yielded).equals(Buffer.concat(added))).toBe(true);
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const long = lengths.filter((length) => length > 16 * 1024).length;
    expect(yielded.length).toBeLessThanOrEqual(2 * long + total / (48 * 1024) + 2);
  },
);
