import { RepoGoneError } from '@packhouse/git';
import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';

/**
 * Brings an update that the catalog has decided to the repo's state and tags, and settles it (REPO-238). Idempotent, and
 * safe beside other updates: the state ignores an older one.
 *
 * @returns the repo as it is now; undefined if it was deleted.
 */
export async function settleUpdate(
  context: Context,
  account: string,
  repo: RepoRecord,
): Promise<RepoRecord | undefined> {
  const { catalog, renameTags, report } = context;
  if (!(await updateState(context, account, repo))) return undefined;
  for (let named = repo; ;) {
    await renameTags?.(account, named);
    let now: RepoRecord | undefined = repo;
    try {
      now = await catalog(account).settleRepo(repo.id, repo.revision);
    } catch (error) {
      // The update is whole, so only the sweep needs to know that it was not noted.
      report(error);
    }
    // A later update may have renamed the tags before this one did.
    if (now === undefined || now.name === named.name) return now;
    named = now;
  }
}

/** Applies an unsettled update to the repo's state, with its events. Returns false if the state is gone. */
export async function updateState(
  { storage }: Context,
  account: string,
  { id, jurisdiction, revision, name, defaultBranch, readOnly, unsettled }: RepoRecord,
): Promise<boolean> {
  const update = { revision, name, defaultBranch, readOnly, events: unsettled ?? [] };
  try {
    await storage.repo(account, id, jurisdiction).state.updateHead(update);
    return true;
  } catch (error) {
    if (error instanceof RepoGoneError) return false;
    throw error;
  }
}
