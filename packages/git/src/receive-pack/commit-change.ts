import { RepoGoneError, type CommitOutcome, type RepoChange, type RepoState } from '../ports/repo-state.ts';

/** Thrown if it is unknown whether a push was committed. Then no report may claim either. */
export class PushUncertainError extends Error {
  override readonly name = 'PushUncertainError';
}

/**
 * Commits a change. Where the reply is lost, asks what became of it, and tries once more with the same id if nothing did
 * (`docs/design/workers.md`, "Failures"). What failed twice and was not recorded may still be on its way.
 *
 * @throws {PushUncertainError}
 * @throws {RepoGoneError} Then nothing was committed.
 */
export async function commitChange(state: RepoState, change: RepoChange): Promise<CommitOutcome> {
  for (let last = false; ; last = true) {
    try {
      return await state.commit(change);
    } catch (error) {
      if (error instanceof RepoGoneError) throw error;
      const outcome = await outcomeOf(state, change.pushId);
      if (outcome !== undefined) return outcome;
      if (last) throw error;
    }
  }
}

async function outcomeOf(state: RepoState, pushId: string): Promise<CommitOutcome | undefined> {
  try {
    return await state.outcome(pushId);
  } catch (error) {
    if (error instanceof RepoGoneError) return undefined;
    throw new PushUncertainError('nobody knows whether a push was committed', { cause: error });
  }
}
