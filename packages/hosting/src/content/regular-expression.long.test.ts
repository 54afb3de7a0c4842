import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { comparedWithGit, someExpression, someLines } from './regular-expression.test.util.ts';

describe('compileExpression', () => {
  test.prop([someExpression, fc.array(someLines, { minLength: 40, maxLength: 40 }), fc.boolean()], { numRuns: 150 })(
    'REPO-295: finds the lines and columns of git grep -P, for many expressions',
    async (source, texts, ignoreCase) => {
      const [ours, ofGit] = await comparedWithGit(source, texts, ignoreCase);
      expect(ours).toEqual(ofGit);
    },
    300_000,
  );
});
