import { expect, it } from 'vitest';
import { commitKind } from '../../object/kind.ts';
import type { MemoryShare } from '../../pack/receive/incoming-pack.ts';
import { NotEnoughMemoryError } from '../../work/memory-error.ts';
import { IncomingLinks } from './incoming-links.ts';

const mebibyte = 1024 * 1024;

function commitWith(parents: number): Uint8Array {
  const id = 'a'.repeat(40);
  return Buffer.from(`tree ${id}\n${`parent ${id}\n`.repeat(parents)}author A <a> 1 +0\ncommitter A <a> 1 +0\n\nx`);
}

/** Room for so many bytes; counts what is taken. */
function share(room: number): MemoryShare & { taken: number } {
  return {
    taken: 0,
    resize: async () => undefined,
    grow(bytes) {
      const needed = this.taken + bytes;
      if (needed > room) throw new NotEnoughMemoryError({ needed, limit: room, setting: 'memory_max' });
      this.taken = needed;
    },
    shrink(bytes) {
      this.taken -= bytes;
    },
    growInTurn: () => false,
    reading: () => undefined,
  };
}

it('LIM-067: refuses a commit with more parents than allowed, and names the setting', () => {
  const links = new IncomingLinks({ commitParentsMax: 3, memoryMax: mebibyte }, share(mebibyte));
  links.add(0, commitKind, commitWith(3));
  expect(() => links.add(1, commitKind, commitWith(4))).toThrow('too many parents: 4, limit 3 (commit_parents_max)');
  expect(links.get(0)?.parentCount).toBe(3);
});

it('LIM-059: reserves memory for the parents of a push, and refuses it if memory is short', () => {
  const memory = share(4 * mebibyte);
  const links = new IncomingLinks({ commitParentsMax: 1024, memoryMax: 64 * mebibyte }, memory);
  for (let i = 0; i < 100; i++) links.add(i, commitKind, commitWith(1000));
  expect(memory.taken).toBeGreaterThan(100 * 1000 * 20 - 256 * 1024);
  expect(() => {
    for (let i = 0; i < 1000; i++) links.add(i, commitKind, commitWith(1000));
  }).toThrow('not enough memory');
});

it('LIM-059: bounds the memory of links also where the process has more', () => {
  const links = new IncomingLinks({ commitParentsMax: 1024, memoryMax: mebibyte }, share(Infinity));
  expect(() => {
    for (let i = 0; i < 1000; i++) links.add(i, commitKind, commitWith(1000));
  }).toThrow('not enough memory');
});
