import { fc, test } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { describe } from 'vitest';
import { MaintainedRepository } from './maintained-repository.test.util.ts';
import { RandomHistory, someSteps } from './random-history.test.util.ts';

describe('GIT-127, LIM-064: maintenance of random histories', () => {
  test.prop([someSteps, fc.constantFrom(64, 700, 100_000)], { numRuns: runs(15) })(
    'keeps what refs reach and what is young, drops all else, and leaves few packs that stock git reads',
    async (steps, partSize) => {
      const repository = new MaintainedRepository(partSize);
      const history = new RandomHistory(repository);
      for (const step of steps) await history.run(step);
      await history.quiet();
      await repository.checkByGit();
    },
    120_000,
  );
});
