import { expect, it } from 'vitest';
import { nodeCodec } from '../../codec/node.ts';
import { blobKind, commitKind, treeKind, type KindNumber } from '../../object/kind.ts';
import { memoryShare } from '../../pack/receive/memory-share.test.util.ts';
import { sliceUnits } from '../../work/costs.ts';
import { Scheduler } from '../../work/scheduler.ts';
import { GrowableUint32 } from '../growable.ts';
import { IntroducedLists } from './introduced.ts';

const mebibyte = 1024 * 1024;
const treeSize = 4 * mebibyte;
const parents = 16;
const treePlace = parents + 1;
const blobStart = 100;

/** A tree that holds one entry again and again: few bytes of a pack make very many of them. */
function largeTree(id: number): Uint8Array {
  const entry = Buffer.concat([Buffer.from('100644 a\0'), Buffer.alloc(20, id)]);
  return Buffer.alloc(Math.floor(treeSize / entry.length) * entry.length, entry);
}

it('GIT-149: compares large trees with few parents, accounts for them, and yields meanwhile', async () => {
  const bodies = Array.from({ length: treePlace + 1 }, (_, place) => largeTree(place));
  const read: number[] = [];
  const taken: number[] = [];
  let held = 0;
  const memory = memoryShare({
    grow: (bytes) => taken.push((held += bytes)),
    shrink: (bytes) => taken.push((held -= bytes)),
  });
  const scheduler = new Scheduler();
  const lists = new IntroducedLists(
    nodeCodec(),
    {
      ownPlaces: 200,
      find: (ids, at) => blobStart + (ids[at] as number),
      kind: (place) => (place < blobStart ? treeKind : blobKind),
      read(place) {
        read.push(place);
        return { kind: treeKind, body: bodies[place] as Uint8Array };
      },
    },
    scheduler.begin(),
    memory,
  );
  const list = new GrowableUint32();
  const node = {
    place: 150,
    kind: commitKind as KindNumber,
    tree: treePlace,
    parentTrees: Array.from({ length: parents }, (_, i) => i + 1),
  };
  expect(await lists.collect(node, list)).toBe('complete');
  expect([...list.toArray()]).toEqual([treePlace, blobStart + treePlace]);
  expect(read).toEqual([treePlace, 1, 2]);
  expect(Math.max(...taken)).toBe(read.length * (bodies[1] as Uint8Array).length - 8 * mebibyte);
  lists.release();
  expect(held).toBe(0);
  expect(scheduler.longestStretch).toBeLessThan(2 * sliceUnits);
});
