import { runs } from '@packhouse/fixtures';
import { it } from 'vitest';
import { expectLikeStockGit } from './like-stock-git.test.util.ts';

const seed = Number(process.env['PACKHOUSE_SEED'] ?? 1);

it(`merges random histories like git merge-tree, on the bases of git merge-base (seed ${seed})`, async () => {
  await expectLikeStockGit(seed, runs(200));
});
