import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';

/**
 * Has the events of a new repo delivered, which the catalog has published. What fails here, or dies before, whoever
 * delivers makes up for.
 */
export async function releaseBirth(
  { events, storage, report }: Context,
  account: string,
  { id, jurisdiction }: RepoRecord,
): Promise<void> {
  if (events !== undefined) await storage.repo(account, id, jurisdiction).state.releaseEvents().catch(report);
}
