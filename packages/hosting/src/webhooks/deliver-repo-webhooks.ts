import type { Context } from '../internal/context.ts';
import type { RepoIdentity } from '../lookup/open-repo.ts';
import { deliverWebhooks } from './deliver-webhooks.ts';

/**
 * Runs {@link deliverWebhooks} for a repository of this service. Returns undefined also if the service reaches no other
 * hosts.
 */
export async function deliverRepoWebhooks(
  { postWebhook, catalog, storage, clock, settings, report, dialect }: Context,
  { account, id, jurisdiction }: RepoIdentity,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (postWebhook === undefined) return undefined;
  return deliverWebhooks({
    repoId: id,
    queue: storage.repo(account, id, jurisdiction).state,
    isPublished: async () => (await catalog(account).repoById(id))?.status === 'ready',
    post: postWebhook,
    typePrefix: dialect.eventTypePrefix,
    retryFor: settings.events_retry * 1000,
    clock,
    report,
    signal,
  });
}
