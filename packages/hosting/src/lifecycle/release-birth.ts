import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';

/** Releases the events of a repo that the catalog has published. If that fails, delivery releases them later. */
export async function releaseBirth(
  { events, storage, report }: Context,
  account: string,
  { id, jurisdiction }: RepoRecord,
): Promise<void> {
  if (events !== undefined) await storage.repo(account, id, jurisdiction).state.releaseEvents().catch(report);
}
