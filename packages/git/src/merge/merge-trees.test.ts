import { afterAll, expect, it } from 'vitest';
import { runs } from '@packhouse/fixtures';
import { nodeCodec } from '../codec/node.ts';
import { MergeLimits } from './merge-limits.ts';
import { MergeObjects } from './merge-objects.ts';
import { mergeTrees } from './merge-trees.ts';
import { commitsOf, randomOf, randomSides } from './random-merges.test.util.ts';
import { StockRepository } from './stock-merges.test.util.ts';

const seed = Number(process.env['PACKHOUSE_SEED'] ?? 1);
const random = randomOf(seed);
const threes = Array.from({ length: runs(500) }, (_, i) => randomSides(random, { renames: i % 2 === 0 }));
const stock = new StockRepository(commitsOf(threes));
afterAll(() => stock.remove());

it(`gives the trees and conflicts of git merge-tree, for random edits of files, modes and paths (seed ${seed})`, async () => {
  const { source, trees } = stock.objects();
  const expected = stock.merge(threes.map((_, i) => [3 * i + 1, 3 * i + 2]));
  for (const [i, merge] of expected.entries()) {
    if (merge === undefined) continue;
    const [base, ours, theirs] = trees.slice(3 * i, 3 * i + 3);
    if (ours === undefined || theirs === undefined) throw new Error('a commit has no tree');
    const objects = new MergeObjects(source, nodeCodec(), new MergeLimits());
    const context = { objects, ours: `side-${3 * i + 1}`, theirs: `side-${3 * i + 2}`, depth: 0 };
    const { tree, conflicts, misplaced } = await mergeTrees(context, base, ours, theirs);
    if (misplaced.length > 0) {
      // Git moves such a path in its tree, and reports a conflict, too.
      expect([i, merge.isClean]).toEqual([i, false]);
      continue;
    }
    const stages = conflicts.flatMap(({ path, versions }) =>
      versions.flatMap((version, side) =>
        version === undefined
          ? []
          : [`${version.mode.toString(8).padStart(6, '0')} ${version.oid} ${side + 1}\t${path}`],
      ),
    );
    expect([i, { tree, stages, isClean: conflicts.length === 0 }]).toEqual([i, merge]);
  }
});
