import { it } from 'vitest';
import { expectLikeStockGit } from './like-stock-git.test.util.ts';

it.each([1, 2, 3, 4, 5])(
  'merges many random histories like git merge-tree (seed %i000)',
  async (thousands) => {
    await expectLikeStockGit(1000 * thousands, 1000);
  },
  600_000,
);
