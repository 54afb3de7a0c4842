import { RepoGoneError, type PackId, type PackStore, type RecordedEvent } from '@packhouse/git';
import { makeEvent } from '../events/make-event.ts';
import { repoPayload } from '../events/repo-payload.ts';
import type { Context } from '../internal/context.ts';
import type { DeletedRepo } from '../ports/catalog.ts';
import { updateState } from './settle-update.ts';

/** A push that was running when its repo was deleted may leave bytes until then (GIT-153: 24 h). */
const secondErasure = 23 * 3_600_000;

/** Milliseconds until packs that could not be removed are tried again. */
const failedErasureDelay = 3_600_000;

/**
 * Makes the content of a deleted repo unreadable (REPO-116): refs, tokens and manifest go at once, for processes that
 * still remember its id too. The packs are noted first, so that they are found when the manifest is gone. Its tags
 * (TAG-127) and the API tokens for it alone go with it. Idempotent.
 *
 * @returns the packs whose bytes are still to be removed.
 */
export async function detachRepo(context: Context, account: string, repo: DeletedRepo): Promise<readonly PackId[]> {
  const { catalog, storage, apiTokens, clock, removeTags } = context;
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
  const { record } = repo;
  // Its events come before that of the deletion. A record of before has no such member.
  if (record !== undefined && Array.isArray(record.unsettled)) await updateState(context, account, record);
  await state.erase(deletedEvent(context, account, repo));
  await removeTags?.(account, repo.id);
  await apiTokens?.(account).revokeRepo(repo.id, clock.now());
  return packs;
}

/** Makes the event of REPO-193. A repo that was never ready has none, since no listener knows it. */
function deletedEvent(
  context: Context,
  account: string,
  { record, deletedAt }: DeletedRepo,
): RecordedEvent | undefined {
  if (record === undefined) return undefined;
  const { namespace, name } = record;
  return makeEvent(context, 'deleted', { account, namespace, name }, repoPayload(record), deletedAt);
}

/**
 * Removes the bytes of every deleted repo that is due, and again after a day (REPO-118). Reports a failure, and goes on
 * with the next repo.
 *
 * @throws the error of the catalog if it cannot list due repos, or forget erased ones.
 */
export async function eraseDeleted(context: Context, account: string): Promise<void> {
  const { catalog, clock, settings, report } = context;
  try {
    for (const due of await catalog(account).dueErasures(clock.now())) {
      await eraseRepo(context, account, due).catch(report);
    }
  } finally {
    await catalog(account).forgetErased(clock.now() - settings.delete_memory * 1000);
  }
}

async function eraseRepo(context: Context, account: string, due: DeletedRepo): Promise<void> {
  const { catalog, storage, clock } = context;
  const noted = await detachRepo(context, account, due);
  const again = due.deletedAt + secondErasure;
  let next = clock.now() < again ? again : null;
  try {
    const { state, packs } = storage.repo(account, due.id, due.jurisdiction);
    await removePacks(packs, new Set([...noted, ...(await packs.leftovers(Number.MAX_SAFE_INTEGER))]));
    const isOver = next !== null || (await state.forget(context.events === undefined));
    if (!isOver) next = clock.now() + failedErasureDelay;
  } catch (error) {
    // The list of due repos is limited, so repos that always fail must move behind others.
    next = clock.now() + failedErasureDelay;
    throw error;
  } finally {
    await catalog(account).setErasureDue(due.id, next);
  }
}

/** @throws the first failure, when all others are removed. */
async function removePacks(packs: PackStore, ids: Iterable<PackId>): Promise<void> {
  const failures: unknown[] = [];
  for (const id of ids) await packs.remove(id).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
