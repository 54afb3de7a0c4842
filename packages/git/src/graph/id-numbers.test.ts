import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { objectIdBytes } from '../object/object-id.ts';
import { IdNumbers, numberedIdMemory } from './id-numbers.ts';

const count = 20_000;
const ids = Buffer.concat(Array.from({ length: count }, (_, i) => createHash('sha1').update(String(i)).digest()));

it('numbers each id once, in the order they were first named', () => {
  const numbers = new IdNumbers();
  expect([numbers.length, numbers.bytes().length]).toEqual([0, 0]);
  for (let i = 0; i < count; i++) {
    expect(numbers.numberOf(ids, i * objectIdBytes)).toBe(i);
    expect(numbers.numberOf(ids, (i >> 1) * objectIdBytes)).toBe(i >> 1);
  }
  expect(numbers.length).toBe(count);
  expect(Buffer.compare(numbers.bytes(), ids)).toBe(0);
});

it('LIM-059: takes no more bytes for an id than is reserved, while it grows, too', () => {
  const numbers = new IdNumbers();
  for (let i = 0; i < count; i++) {
    const before = numbers.memory;
    numbers.numberOf(ids, i * objectIdBytes);
    // What is copied is there twice, the slots are not.
    const most = numbers.memory + (numbers.memory > before ? before : 0);
    if (i >= 64) expect(most).toBeLessThanOrEqual(numberedIdMemory * (i + 1));
  }
});
