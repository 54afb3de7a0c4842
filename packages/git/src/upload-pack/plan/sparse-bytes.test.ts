import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { SparseBytes } from './sparse-bytes.ts';

test.prop([fc.integer({ min: 1, max: 5_000 }), fc.array(fc.tuple(fc.nat(), fc.nat(255)))])(
  'has the values of a whole table, and passes over all that are not zero',
  (count, changes) => {
    const [sparse, whole] = [new SparseBytes(count), new Uint8Array(count)];
    for (const [place, value] of changes) {
      sparse.set(place % (count + 9), value);
      whole[place % (count + 9)] = value;
    }
    whole.forEach((value, number) => expect(sparse.get(number)).toBe(value));
    const passed: [number, number][] = [];
    for (const [from, values] of sparse.stretches()) {
      values.forEach((value, i) => value !== 0 && passed.push([from + i, value]));
    }
    expect(passed).toEqual([...whole.entries()].filter(([, value]) => value !== 0));
  },
);
