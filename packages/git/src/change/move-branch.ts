import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { zeroObjectId, type ObjectId } from '../object/object-id.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { PushOutcome } from '../receive-pack/push.ts';
import { retryExpired } from '../stored-refs/retry-expired.ts';
import type { RequestWork } from '../work/scheduler.ts';
import { storeChange, type ChangedRef, type ChangeRules } from './store-change.ts';

/** One state of a repository, in which a commit is made. */
export interface CommitPlace {
  readonly engine: GitEngine;
  readonly repository: GitRepository;
  readonly snapshot: RepoSnapshot;
  readonly work: RequestWork;
}

/** The reason why a branch was not moved. */
export type MoveRefusal =
  /** The branch is hidden. */
  | { readonly kind: 'no ref' }
  /** A rule forbids it; `reason` as Git would report it. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Attempts of a commit that expects no head, while others commit to the branch. */
const attemptsMax = 64;

/**
 * Makes a commit on a branch, again on the new head when another request moved the branch meanwhile.
 *
 * @param expectedHead the commit that the branch must have; null: it must not exist. Undefined: any.
 * @param attempt makes the commit on one state. It gets the head to expect, and answers that another one was there.
 */
export async function commitAgain<Result>(
  engine: GitEngine,
  repository: GitRepository,
  first: RepoSnapshot,
  rules: ChangeRules,
  expectedHead: ObjectId | null | undefined,
  attempt: (place: CommitPlace, expectedHead: ObjectId | null | undefined) => Promise<Result | 'raced'>,
): Promise<Result> {
  const work = engine.scheduler.begin(rules);
  let snapshot = first;
  for (let number = 0; number < attemptsMax; number++) {
    const result = await retryExpired(repository, snapshot, (current) =>
      attempt({ engine, repository, snapshot: current, work }, expectedHead),
    );
    if (result !== 'raced') return result;
    snapshot = (await repository.state.snapshot()) ?? snapshot;
  }
  // No value is the expected one: the result tells the head of a branch that others moved all the time.
  return (await attempt({ engine, repository, snapshot, work }, zeroObjectId)) as Result;
}

/**
 * Moves a branch to a new commit as a push does.
 *
 * @param pack the objects that the repository lacks. Undefined: none.
 */
export async function moveBranch(
  { engine, repository, snapshot }: CommitPlace,
  ref: ChangedRef,
  rules: ChangeRules,
  pack?: AsyncIterable<Uint8Array>,
): Promise<{ readonly kind: 'moved'; readonly outcome: PushOutcome | undefined } | MoveRefusal | 'raced'> {
  const { outcome, reasons } = await storeChange(engine, repository, snapshot, [ref], rules, pack);
  const [reason] = reasons;
  if (reason === undefined) return { kind: 'moved', outcome };
  if (reason === 'stale ref') return 'raced';
  return reason === 'deny updating a hidden ref' ? { kind: 'no ref' } : { kind: 'refused', reason };
}
