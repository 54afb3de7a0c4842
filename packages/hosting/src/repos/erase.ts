import { RepoGoneError, type PackId } from '@packhouse/git';
import type { Context } from '../internal/context.ts';
import type { DeletedRepo } from '../ports/catalog.ts';

/** A push that was running when its repo was deleted may leave bytes until then (GIT-153: 24 h). */
const secondErasure = 23 * 3_600_000;

/**
 * Makes the content of a deleted repo unreadable (REPO-116): refs, tokens and manifest go at once, for processes that
 * still remember its id too. The packs are noted first, so that they are found when the manifest is gone. Idempotent.
 *
 * @returns the packs whose bytes are still to be removed.
 */
export async function detachRepo(
  { catalog, storage }: Context,
  account: string,
  repo: DeletedRepo,
): Promise<readonly PackId[]> {
  const { state } = storage.repo(account, repo.id, repo.jurisdiction);
  let packs = repo.packs;
  try {
    const snapshot = await state.snapshot();
    packs = snapshot?.packs.filter(({ where }) => where === 'store').map(({ id }) => id) ?? [];
    if (packs.length > 0) await catalog(account).notePacks(repo.id, packs);
  } catch (error) {
    // It was erased before, after its packs had been noted, or never begun.
    if (!(error instanceof RepoGoneError)) throw error;
  }
  await state.erase();
  return packs;
}

/** Removes the bytes of every deleted repo that is due, and once more after a day (REPO-118). */
export async function eraseDeleted(context: Context, account: string): Promise<void> {
  const { catalog, storage, clock, settings } = context;
  for (const due of await catalog(account).dueErasures(clock.now())) {
    const noted = await detachRepo(context, account, due);
    const { packs } = storage.repo(account, due.id, due.jurisdiction);
    const left = await packs.leftovers(Number.MAX_SAFE_INTEGER);
    for (const id of new Set([...noted, ...left])) await packs.remove(id);
    const again = due.deletedAt + secondErasure;
    await catalog(account).setErasureDue(due.id, clock.now() < again ? again : null);
  }
  await catalog(account).forgetErased(clock.now() - settings.delete_memory * 1000);
}
