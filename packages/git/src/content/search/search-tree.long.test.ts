import { fc, test } from '@fast-check/vitest';
import { afterAll, describe, expect } from 'vitest';
import { stockGit } from '../../pack/stock-git.test.util.ts';
import { findsWhatGitFinds, someQuery, someTexts } from './search-tree.test.util.ts';

const git = stockGit();
afterAll(() => git.remove());

describe('searchTree', () => {
  test.prop([someTexts, someQuery, fc.integer({ min: 1, max: 5 }), fc.nat()], { numRuns: 60 })(
    'REPO-295: finds a literal where stock git finds it, in many random trees',
    async (files, query, limit, which) => {
      const paths = ['', ...Object.keys(files)];
      const [ours, ofGit] = await findsWhatGitFinds(git, files, query, limit, paths[which % paths.length] as string);
      expect(ours).toEqual(ofGit);
    },
    120_000,
  );
});
