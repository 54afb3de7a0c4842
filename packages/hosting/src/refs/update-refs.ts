import {
  updateRefs,
  type GitEngine,
  type ObjectId,
  type RequestWork,
  type UpdateRefusal,
  type WantedUpdate,
} from '@packhouse/git';
import { changeRepo, type ChangingRepo } from '../changes/change-repo.ts';
import { failed, failure, type Failure } from '../changes/failure.ts';
import type { Context } from '../internal/context.ts';

/** A ref that an update moved (REPO-246), members in order. */
export interface RefChange {
  /** The full name. */
  readonly name: string;
  /** The value before; null: the ref did not exist. */
  readonly old: ObjectId | null;
  /** The value now; null: the ref was deleted. */
  readonly new: ObjectId | null;
}

/**
 * Updates refs of a repo, all or none (REPO-244).
 *
 * @param pointerOf returns the pointer of an error about the update with this number. Default: errors have none.
 * @throws {HostingError} with an item for each refused update.
 */
export async function updateRefsOf(
  context: Context,
  engine: GitEngine,
  repo: ChangingRepo,
  wanted: readonly WantedUpdate[],
  work: RequestWork,
  pointerOf: (update: number) => string | undefined = () => undefined,
): Promise<readonly RefChange[]> {
  const result = await changeRepo(context, repo, work, async (rules) => {
    const updated = await updateRefs(engine, repo.repo, repo.snapshot, wanted, rules);
    if (updated.kind === 'done') return updated;
    const failures = Array.from(updated.refusals, ([number, refusal]) => failureOf(refusal, pointerOf(number)));
    throw failed(failures as [Failure, ...Failure[]]);
  });
  return result.updates.map(({ name, old, new: value }) => ({ name, old, new: value }));
}

function failureOf(refusal: UpdateRefusal, pointer: string | undefined): Failure {
  const about = pointer === undefined ? {} : { pointer };
  switch (refusal.kind) {
    case 'stale':
      return failure('staleRef', { ...about, details: { head: refusal.head } });
    case 'no ref':
      return failure('refNotFound', about);
    case 'no object':
      return failure('objectNotFound', about);
    case 'refused':
      return failure(refusal.reason === 'non-fast-forward' ? 'nonFastForward' : 'refRefused', {
        ...about,
        reason: refusal.reason,
      });
  }
}
