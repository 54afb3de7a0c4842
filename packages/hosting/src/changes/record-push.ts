import type { PushOutcome } from '@packhouse/git';
import type { Context } from '../internal/context.ts';
import type { HostedRepo } from '../ports/repo-storage.ts';

/** Account and id of a repo. */
export interface PushedRepo {
  readonly account: string;
  readonly id: string;
}

/**
 * Records in the catalog a push that changed a ref, or an upload; call it before the reply (REPO-057, GIT-159). A
 * failure goes to `context.unheard`, too, and does not undo the push.
 */
export async function recordPush(
  { catalog, unheard }: Context,
  pushed: PushedRepo,
  { state }: HostedRepo,
  { at, version, uploaded }: PushOutcome,
): Promise<void> {
  try {
    const bytes = await state.storedBytes();
    await catalog(pushed.account).touch(pushed.id, { pushedAt: uploaded.length > 0 ? null : at, bytes, version });
  } catch (error) {
    unheard(pushed, state);
    throw error;
  }
}
