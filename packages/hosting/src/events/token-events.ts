import type { RecordedEvent } from '@packhouse/git';
import { HostingError, isoTime } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import type { TokenRecord } from '../ports/repo-storage.ts';
import { makeEvent, type EventSubject } from './make-event.ts';

/** Makes the `token.created` event (REPO-197). */
export function tokenCreated(
  context: Context,
  subject: EventSubject,
  { id, scope, expiresAt }: TokenRecord,
  at: number,
): RecordedEvent {
  return makeEvent(context, 'token.created', subject, { tokenId: id, scope, expiresAt: isoTime(expiresAt) }, at);
}

/** Makes the `token.revoked` event (REPO-197). */
export function tokenRevoked(context: Context, subject: EventSubject, id: string, at: number): RecordedEvent {
  return makeEvent(context, 'token.revoked', subject, { tokenId: id }, at);
}

/**
 * Looks up the subject for events of a repo.
 *
 * @throws {HostingError} `repoNotFound` if the catalog no longer has the repo. Its state may still accept changes, but
 * their events would lack a subject.
 */
export async function eventSubject({ catalog }: Context, account: string, id: string): Promise<EventSubject> {
  const repo = await catalog(account).repoById(id);
  if (repo === undefined) throw new HostingError('repoNotFound');
  return { account, namespace: repo.namespace, name: repo.name };
}
