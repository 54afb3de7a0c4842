import { expect, it } from 'vitest';
import { MadeObjects, type MadeFile } from '../diff/random-trees.test.util.ts';
import { fileMode } from '../object/tree.ts';
import { changedPaths } from './changed-paths.ts';

const file: MadeFile = { mode: fileMode, text: 'x' };

it('LIM-040, REPO-254: lists the files of a deleted folder, up to 10,000 paths and 1 MiB of them', async () => {
  const listed = async (count: number, length: number): Promise<readonly [number, boolean]> => {
    const objects = new MadeObjects();
    const names = Array.from({ length: count }, (_, i) => `folder/${String(i).padStart(length, '0')}`);
    const from = objects.tree(new Map([...names, 'kept'].map((name) => [name, file])));
    const { paths, truncated } = await changedPaths(
      objects,
      { from, to: objects.tree(new Map([['kept', file]])) },
      () => {},
    );
    expect(paths).toEqual(names.slice(0, paths.length));
    return [paths.length, truncated];
  };
  expect(await listed(10_000, 5)).toEqual([10_000, false]);
  expect(await listed(10_001, 5)).toEqual([10_000, true]);
  expect(await listed(1_100, 1017)).toEqual([1024, true]);
});
