import {
  updateRefs,
  type GitEngine,
  type ObjectId,
  type RequestWork,
  type UpdateRefusal,
  type WantedUpdate,
} from '@packhouse/git';
import { HostingError, repoErrors, type ErrorItem, type RepoErrorKind } from '@packhouse/base';
import { changeRepo, type ChangingRepo } from '../changes/change-repo.ts';
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
    const [first, ...others] = failures as [Failure, ...Failure[]];
    throw new HostingError(first.kind, { items: [first.item, ...others.map(({ item }) => item)] });
  });
  return result.updates.map(({ name, old, new: value }) => ({ name, old, new: value }));
}

interface Failure {
  readonly kind: RepoErrorKind;
  readonly item: ErrorItem;
}

function failureOf(refusal: UpdateRefusal, pointer: string | undefined): Failure {
  const failure = (kind: RepoErrorKind, more: Partial<ErrorItem> = {}): Failure => {
    const { code, message } = repoErrors[kind];
    return { kind, item: { kind, code, message, ...(pointer !== undefined && { pointer }), ...more } };
  };
  switch (refusal.kind) {
    case 'stale':
      return failure('staleRef', { details: { head: refusal.head } });
    case 'no ref':
      return failure('refNotFound');
    case 'no object':
      return failure('objectNotFound');
    case 'refused':
      return failure(refusal.reason === 'non-fast-forward' ? 'nonFastForward' : 'refRefused', {
        message: `${repoErrors.refRefused.message}: ${refusal.reason}`,
      });
  }
}
