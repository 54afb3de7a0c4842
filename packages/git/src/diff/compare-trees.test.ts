import { fc, test } from '@fast-check/vitest';
import { afterAll, describe, expect, it } from 'vitest';
import { treeKind } from '../object/kind.ts';
import { fileMode } from '../object/tree.ts';
import { stockGit } from '../pack/stock-git.test.util.ts';
import { compareTrees, TooManyChangesError } from './compare-trees.ts';
import { rawOfGit, rawText } from './raw-changes.test.util.ts';
import { MadeObjects, somePair, type MadeFiles } from './random-trees.test.util.ts';

const git = stockGit();
afterAll(() => git.remove());

const files = (...paths: readonly string[]): MadeFiles =>
  new Map(paths.map((path) => [path, { mode: fileMode, text: path }]));

describe('compareTrees', () => {
  test.prop([fc.array(somePair, { minLength: 30, maxLength: 30 })], { numRuns: 1 })(
    'finds the changes that stock git finds, for any two trees',
    async (made) => {
      const objects = new MadeObjects();
      const pairs = made.map(([from, to]) => [objects.tree(from), objects.tree(to)] as const);
      objects.store(git);
      const ours = [];
      for (const [from, to] of pairs) ours.push(rawText(await compareTrees(objects, from, to)));
      expect(ours).toEqual(rawOfGit(git, pairs, '--no-renames'));
    },
  );

  it('opens only trees that differ', async () => {
    const objects = new MadeObjects();
    const from = objects.tree(files('same/a', 'same/b/c', 'other/a'));
    const to = objects.tree(files('same/a', 'same/b/c', 'other/b'));
    expect(await compareTrees(objects, from, to)).toHaveLength(2);
    expect(objects.reads).toHaveLength(4);
    expect(await compareTrees(objects, from, from)).toEqual([]);
    expect(objects.reads).toHaveLength(4);
  });

  it('compares a pair of trees without a change once, also if many paths have it', async () => {
    const objects = new MadeObjects();
    let tree = objects.tree(new Map());
    for (let depth = 0; depth < 40; depth++) {
      const parts = ['a', 'b'].map((name) => [Buffer.from(`40000 ${name}\0`), Buffer.from(tree, 'hex')]);
      tree = objects.add(treeKind, Buffer.concat(parts.flat()));
    }
    let held = 0;
    const hold = (bytes: number): void => void (held += bytes);
    expect(await compareTrees(objects, undefined, tree, { hold })).toEqual([]);
    expect(objects.reads).toHaveLength(41);
    expect(held).toBe(0);
  });

  it('ends at the maximum number of changes, and holds no memory of trees at the end', async () => {
    const objects = new MadeObjects();
    const to = objects.tree(files('a', 'b', 'c/d'));
    let held = 0;
    const hold = (bytes: number): void => void (held += bytes);
    expect(await compareTrees(objects, undefined, to, { changesMax: 3, hold })).toHaveLength(3);
    expect(held).toBeLessThan(3 * 500);
    await expect(compareTrees(objects, undefined, to, { changesMax: 2 })).rejects.toThrow(TooManyChangesError);
  });
});
