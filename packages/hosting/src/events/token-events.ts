import type { RecordedEvent } from '@packhouse/git';
import { HostingError, isoTime } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import type { TokenRecord } from '../ports/repo-storage.ts';
import { makeEvent, type EventSubject } from './make-event.ts';

/** REPO-197. */
export function tokenCreated(
  context: Context,
  subject: EventSubject,
  { id, scope, expiresAt }: TokenRecord,
  at: number,
): RecordedEvent {
  return makeEvent(context, 'token.created', subject, { tokenId: id, scope, expiresAt: isoTime(expiresAt) }, at);
}

/** REPO-197. */
export function tokenRevoked(context: Context, subject: EventSubject, id: string, at: number): RecordedEvent {
  return makeEvent(context, 'token.revoked', subject, { tokenId: id }, at);
}

/**
 * What events of a repo say of whom they are; undefined if nobody listens.
 *
 * @throws {HostingError} `repoNotFound` if the catalog has it no more: what its state still takes could not be told of.
 */
export async function listenedSubject(
  { catalog, events }: Context,
  account: string,
  id: string,
): Promise<EventSubject | undefined> {
  if (events === undefined) return undefined;
  const repo = await catalog(account).repoById(id);
  if (repo === undefined) throw new HostingError('repoNotFound');
  return { account, namespace: repo.namespace, name: repo.name };
}
