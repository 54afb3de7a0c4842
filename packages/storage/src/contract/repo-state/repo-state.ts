import { afterEach, beforeEach, describe } from 'vitest';
import type { MaintainedRepoState } from '../../repo-state/maintained.ts';
import { testCommits } from './commits.ts';
import { testEvents } from './events.ts';
import { testLifecycle } from './lifecycle.ts';
import { testPacks } from './packs.ts';
import { testReplacing } from './replacing.ts';
import { testRefs } from './refs.ts';
import { testSettling } from './settling.ts';
import { testRandomSteps } from './random.ts';
import { testTips } from './tips.ts';
import { testTokens } from './tokens.ts';

/** What one test works on. */
export interface RepoStateFixture {
  /**
   * The state of the repository `id`. Each call may give another handle or connection: all of them must show one
   * state. Opened by the suite any number of times.
   */
  open(id: string): MaintainedRepoState;
  /** Ends what was opened. */
  close(): void | Promise<void>;
}

/** The fixture of the running test. */
export type OpenState = RepoStateFixture['open'];

/**
 * The contract of `RepoState`, `HostedRepoState` and `MaintainedRepoState`. Every adapter runs it:
 *
 * ```ts
 * testRepoState('memory', () => fixture);
 * ```
 */
export function testRepoState(adapter: string, make: () => RepoStateFixture | Promise<RepoStateFixture>): void {
  describe(`HostedRepoState: ${adapter}`, () => {
    let fixture: RepoStateFixture;
    beforeEach(async () => {
      fixture = await make();
    });
    afterEach(() => fixture.close());
    const open: OpenState = (id) => fixture.open(id);
    testLifecycle(open);
    testCommits(open);
    testRefs(open);
    testPacks(open);
    testSettling(open);
    testReplacing(open);
    testTips(open);
    testTokens(open);
    testEvents(open);
    testRandomSteps(open);
  });
}
