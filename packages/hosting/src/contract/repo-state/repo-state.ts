import { afterEach, beforeEach, describe } from 'vitest';
import type { PackId } from '@packhouse/git';
import type { HostedRepoState } from '../../ports/repo-storage.ts';
import { testCommits } from './commits.ts';
import { testEvents } from './events.ts';
import { testLifecycle } from './lifecycle.ts';
import { testPacks } from './packs.ts';
import { testReplacing } from './replacing.ts';
import { testRefs } from './refs.ts';
import { testRandomSteps } from './random.ts';
import { testTips } from './tips.ts';
import { testTokens } from './tokens.ts';

/** Repository states for one test. */
export interface RepoStateFixture {
  /**
   * Opens the state of the repository `id`. Each call may return another handle or connection; all must show the same
   * state. The suite calls it any number of times.
   */
  open(id: string): HostedRepoState;
  /**
   * Moves a pack from rows to the `PackStore`. Returns true if that changed something: a pack that is not in rows, or was
   * replaced, stays. Absent if the adapter never moves packs.
   */
  settle?(id: string, pack: PackId): Promise<boolean>;
  /** Closes everything that was opened. */
  close(): void | Promise<void>;
}

export interface RepoStateOptions {
  /** Include states with very many refs, packs or events. False for a second form of an adapter. Default: true. */
  readonly large?: boolean;
}

/** The `open` of the fixture in the running test. */
export type OpenState = RepoStateFixture['open'];

/**
 * Tests an adapter against the contract of `RepoState` and `HostedRepoState`:
 *
 * ```ts
 * testRepoState('memory', () => fixture);
 * ```
 */
export function testRepoState(
  adapter: string,
  make: () => RepoStateFixture | Promise<RepoStateFixture>,
  { large = true }: RepoStateOptions = {},
): void {
  describe(`HostedRepoState: ${adapter}`, () => {
    let fixture: RepoStateFixture;
    beforeEach(async () => {
      fixture = await make();
    });
    afterEach(() => fixture.close());
    const open: OpenState = (id) => fixture.open(id);
    testLifecycle(open);
    testCommits(open, large);
    testRefs(open, large);
    testPacks(open, large);
    testReplacing(open);
    testTips(open, large);
    testTokens(open);
    testEvents(open, large);
    testRandomSteps(open, (id, pack) => fixture.settle?.(id, pack));
  });
}
