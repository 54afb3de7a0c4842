import { expect, it } from 'vitest';
import { blobKind, treeKind, type GitObject } from '../../object/kind.ts';
import { NotEnoughMemoryError } from '../../work/memory-error.ts';
import { LargeTrees } from './large-trees.ts';
import { MemoryAccount } from './memory-account.ts';
import { memoryShare } from './memory-share.test.util.ts';

/** Memory of which only `room` bytes are left. */
function largeTrees(budget: number, room: number): { trees: LargeTrees; taken: () => number } {
  let taken = 0;
  const account = new MemoryAccount(
    memoryShare({
      grow(bytes) {
        if (taken + bytes > room) {
          throw new NotEnoughMemoryError({ needed: taken + bytes, limit: room, setting: 'memory_max' });
        }
        taken += bytes;
      },
      shrink: (bytes) => void (taken -= bytes),
    }),
    0,
  );
  return { trees: new LargeTrees(budget, account), taken: () => taken };
}

function treeOf(size: number): GitObject {
  return { kind: treeKind, body: new Uint8Array(size) };
}

function keptOf(trees: LargeTrees): number[] {
  return [1, 2, 3, 4, 5].filter((key) => trees.get(key) !== undefined);
}

it('keeps the trees used last, within its budget', () => {
  const { trees, taken } = largeTrees(300, Infinity);
  for (const key of [1, 2, 3]) trees.add(key, treeOf(100));
  expect(trees.get(1)?.body.length).toBe(100);
  trees.add(4, treeOf(100));
  trees.add(4, treeOf(100));
  trees.add(5, { kind: blobKind, body: new Uint8Array(100) });
  expect([keptOf(trees), taken()]).toEqual([[1, 3, 4], 300]);
  trees.clear();
  expect([keptOf(trees), taken()]).toEqual([[], 0]);
});

it('keeps two trees beyond its budget', () => {
  const { trees, taken } = largeTrees(300, Infinity);
  for (const key of [1, 2, 3]) trees.add(key, treeOf(1000));
  expect([keptOf(trees), taken()]).toEqual([[2, 3], 2000]);
});

it.each([
  [599, [3]],
  [600, [2, 3]],
  [499, []],
])('LIM-059: with %d bytes of memory, leaves room for four trees and keeps what fits beside them', (room, kept) => {
  const { trees, taken } = largeTrees(300, room);
  for (const key of [1, 2, 3]) trees.add(key, treeOf(100));
  expect([keptOf(trees), taken()]).toEqual([kept, 100 * kept.length]);
});
