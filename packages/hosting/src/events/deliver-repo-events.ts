import type { RepoIdentity } from '../lookup/open-repo.ts';
import type { Context } from '../internal/context.ts';
import { deliverEvents } from './deliver-events.ts';

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

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** The id of what listens for an account: 16 characters of `[0-9a-z]`, the same as long as it is one place. */
async function subscriptionId(account: string, target: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify([account, target])));
  return [...new Uint8Array(digest).subarray(0, 16)].map((byte) => alphabet[byte % alphabet.length]).join('');
}
