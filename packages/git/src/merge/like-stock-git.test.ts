import { runs } from '@packhouse/fixtures';
import { it } from 'vitest';
import { expectLikeStockGit, expectMergesLikeStockGit } from './like-stock-git.test.util.ts';
import type { TestCommit, TestFile } from './stock-merges.test.util.ts';

const seed = Number(process.env['PACKHOUSE_SEED'] ?? 1);

it(`merges random histories like git merge-tree, on the bases of git merge-base (seed ${seed})`, async () => {
  await expectLikeStockGit(seed, runs(200));
});

it('follows the first of equally similar files in the order of git', async () => {
  // Git puts new folders off, in a hash map of 64 buckets which grows.
  const histories = [10, 40, 51, 52, 60, 204, 205, 230].map((folders): TestCommit[] => {
    const text = (last: string): TestFile => {
      const lines = Array.from({ length: 20 }, (_, i) => `line ${i} of ${folders}\n`);
      return { mode: '100644', content: `${lines.join('')}${last}\n` };
    };
    const added = Array.from({ length: folders }, (_, i) => [`folder${i}/file`, text('ours')] as const);
    return [
      { files: new Map([['old', text('base')]]), parents: [] },
      { files: new Map(added), parents: [0] },
      { files: new Map([['old', { ...text('base'), content: `theirs\n${text('base').content}` }]]), parents: [0] },
    ];
  });
  await expectMergesLikeStockGit(histories);
});
