import { expect, it } from 'vitest';
import { FamilyQueue } from './family-queue.ts';

it('gives each family to one of those that take, until it is stopped', () => {
  const queue = FamilyQueue.of([7, 5, 9, 3], (bytes) => new SharedArrayBuffer(bytes));
  const other = new FamilyQueue(structuredClone({ roots: queue.roots, next: queue.next }));
  expect([queue.take(), other.take(), other.take()]).toEqual([7, 5, 9]);
  other.stop();
  expect([queue.take(), other.take()]).toEqual([undefined, undefined]);
});

it('is empty after the last family', () => {
  const queue = FamilyQueue.of([0], (bytes) => new ArrayBuffer(bytes));
  expect([queue.take(), queue.take(), queue.take()]).toEqual([0, undefined, undefined]);
});
