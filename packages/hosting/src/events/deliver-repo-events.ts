import type { RepoIdentity } from '../lookup/open-repo.ts';
import type { Context } from '../internal/context.ts';
import { deliverEvents } from './deliver-events.ts';
import { subscriptionId } from './subscription-id.ts';

/** {@link deliverEvents} of a repository of this service; undefined also if nobody listens. */
export async function deliverRepoEvents(
  { events, catalog, storage, clock, settings, report }: Context,
  { account, id, jurisdiction }: RepoIdentity,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (events === undefined) return undefined;
  return deliverEvents({
    repoId: id,
    outbox: storage.repo(account, id, jurisdiction).state,
    isPublished: async () => (await catalog(account).repoById(id))?.status === 'ready',
    onEvent: events,
    subscription: await subscriptionId(account, settings.webhook_url ?? 'onEvent'),
    retryFor: settings.events_retry * 1000,
    keepFor: settings.events_kept * 1000,
    clock,
    report,
    signal,
  });
}
