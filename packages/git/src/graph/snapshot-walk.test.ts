import { expect, it } from 'vitest';
import { blobKind, treeKind, type GitObject } from '../object/kind.ts';
import { Scheduler, type Work } from '../work/scheduler.ts';
import type { GraphSet } from './graph-set.ts';
import { walkSnapshot, type TreeSource } from './snapshot-walk.ts';

/** Entries of a tree: a mode, and the number of an object, which is the first byte of its id too. */
type Entries = readonly (readonly [mode: string, object: number])[];

const folder = '40000';
const file = '100644';
const link = '160000';

/** Trees by number; every other number is a file. Tells which trees were read. */
function made(trees: Readonly<Record<number, Entries>>): { source: TreeSource; readonly read: number[] } {
  const read: number[] = [];
  const source: TreeSource = {
    set: { packs: [], kind: (object: number) => (object in trees ? treeKind : blobKind) } as unknown as GraphSet,
    loadIndexes: async () => {},
    findObject: (ids, at) => ids[at] as number,
    read(object): GitObject {
      read.push(object);
      const entries = trees[object] as Entries;
      const parts = entries.map(([mode, target], i) => Buffer.from([...Buffer.from(`${mode} ${i}\0`), target, ...id]));
      return { kind: treeKind, body: Buffer.concat(parts) };
    },
  };
  return { source, read };
}

const id = Array.from({ length: 19 }, () => 0);

async function walked(
  source: TreeSource,
  root: number,
  work: Work,
  held: readonly number[] = [],
  withBlobs?: boolean,
): Promise<number[]> {
  const met = new Set<number>();
  const enter = (object: number): boolean => {
    if (met.has(object)) return false;
    met.add(object);
    return !held.includes(object);
  };
  await walkSnapshot(source, root, enter, work, withBlobs);
  return [...met].sort((a, b) => a - b);
}

const trees = {
  1: [
    [folder, 2],
    [file, 10],
    [folder, 3],
    [link, 99],
  ],
  2: [
    [folder, 3],
    [file, 11],
  ],
  3: [
    [file, 12],
    [folder, 4],
  ],
  4: [[file, 13]],
} as const;

it('visits all objects that a tree reaches, except links, and reads each tree once', async () => {
  const { source, read } = made(trees);
  expect(await walked(source, 1, new Scheduler().begin())).toEqual([1, 2, 3, 4, 10, 11, 12, 13]);
  expect(read.toSorted()).toEqual([1, 2, 3, 4]);
});

it('does not enter trees that the caller skips', async () => {
  const { source, read } = made(trees);
  expect(await walked(source, 1, new Scheduler().begin(), [3])).toEqual([1, 2, 3, 10, 11]);
  expect(read.toSorted()).toEqual([1, 2]);
  expect(await walked(source, 1, new Scheduler().begin(), [1])).toEqual([1]);
  expect(await walked(source, 10, new Scheduler().begin())).toEqual([10]);
});

it('looks for no blob if the caller wants trees alone', async () => {
  const { source } = made(trees);
  const asked: (number | undefined)[] = [];
  const counting: TreeSource = { ...source, findObject: (ids, at) => (asked.push(ids[at]), ids[at] as number) };
  expect(await walked(counting, 1, new Scheduler().begin(), [], false)).toEqual([1, 2, 3, 4]);
  expect(asked.toSorted()).toEqual([2, 3, 3, 4]);
});

it('lets others have their turn within a large tree, too', async () => {
  const { source } = made({ 1: Array.from({ length: 200 }, (_, i) => [file, 2 + i] as const) });
  let [asked, passed] = [0, 0];
  const work: Work = { spend: () => ++asked % 50 === 0, yield: async () => void passed++ };
  await walked(source, 1, work);
  expect(passed).toBe(4);
});

it('does not take a tree that is not complete for one', async () => {
  const { source } = made(trees);
  const broken: TreeSource = { ...source, findObject: (ids, at) => (ids[at] === 13 ? -1 : (ids[at] as number)) };
  await expect(walked(broken, 1, new Scheduler().begin())).rejects.toThrow('not complete');
});
