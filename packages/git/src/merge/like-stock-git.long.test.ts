import { runs } from '@packhouse/fixtures';
import { it } from 'vitest';
import { expectLikeStockGit } from './like-stock-git.test.util.ts';

it.each([207, 607])(
  'merges many random histories like git merge-tree (seed %i)',
  async (seed) => {
    await expectLikeStockGit(seed, runs(1000));
  },
  600_000,
);
