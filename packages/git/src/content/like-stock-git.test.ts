import { test } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { describe } from 'vitest';
import { expectLikeStockGit, someQuestions } from './like-stock-git.test.util.ts';

describe('content reads', () => {
  test.prop([someQuestions], { numRuns: runs(10) })(
    'REPO-260, REPO-262, REPO-265 to REPO-268: equal rev-parse, ls-tree and log of stock git',
    expectLikeStockGit,
  );
});
