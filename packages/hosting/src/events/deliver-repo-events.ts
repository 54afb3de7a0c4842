import type { RepoIdentity } from '../lookup/open-repo.ts';
import type { Context } from '../internal/context.ts';
import { deliverEvents } from './deliver-events.ts';

/**
 * Runs {@link deliverEvents} for a repository of this service. Returns undefined also if the service records no events.
 */
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

/** Derives the subscription id, 16 characters of `[0-9a-z]`, from the account and the target. */
async function subscriptionId(account: string, target: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify([account, target])));
  return [...new Uint8Array(digest).subarray(0, 16)].map((byte) => alphabet[byte % alphabet.length]).join('');
}
