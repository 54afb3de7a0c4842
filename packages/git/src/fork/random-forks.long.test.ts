import { fc, test } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { describe } from 'vitest';
import { RandomForks, someForkSteps } from './random-forks.test.util.ts';

describe('GIT-154, REPO-121, REPO-123: forks of random histories', () => {
  test.prop([someForkSteps, fc.constantFrom(64, 700, 100_000)], { numRuns: runs(16) })(
    'each has exactly the objects that its refs reach, regardless of changes in the others',
    async (steps, partSize) => {
      const forks = new RandomForks(partSize);
      for (const step of steps) await forks.run(step);
      await forks.checkAll();
    },
    120_000,
  );
});
