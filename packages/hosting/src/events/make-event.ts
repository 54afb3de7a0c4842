import type { RecordedEvent } from '@packhouse/git';
import type { Context } from '../internal/context.ts';
import { isoTime } from '@packhouse/base';
import type { EventBody } from '../ports/on-event.ts';

/** The repo that an event is about, in its stored spelling. For `forked` it is the parent. */
export interface EventSubject {
  readonly account: string;
  readonly namespace: string;
  readonly name: string;
}

const accountEvents = ['created', 'deleted', 'forked', 'imported', 'renamed', 'updated'] as const;
const repoEvents = ['pushed', 'cloned', 'fetched', 'token.created', 'token.revoked'] as const;

/** Names of events (REPO-192, REPO-240): the first six have the account as source, the others the repo. */
export const eventNames = [...accountEvents, ...repoEvents] as const;
export type EventName = (typeof eventNames)[number];

const accountWide: ReadonlySet<EventName> = new Set(accountEvents);

/** The recorded part of an {@link EventBody}. The delivery adds `eventSubscriptionId`, since the target may change. */
export type RecordedBody = Omit<EventBody, 'metadata'> & {
  readonly metadata: Omit<EventBody['metadata'], 'eventSubscriptionId'>;
};

/**
 * Makes an event, which the caller records in the transaction of its change (REPO-190, REPO-191).
 *
 * @param at time of the change, in milliseconds since 1970.
 * @param tokenId id of the repo token that made the change (REPO-199). Default: the event names none.
 */
export function makeEvent(
  { dialect, ids, events }: Pick<Context, 'dialect' | 'ids' | 'events'>,
  name: EventName,
  { account, namespace, name: repoName }: EventSubject,
  payload: EventBody['payload'],
  at: number,
  tokenId?: string,
): RecordedEvent {
  const { eventTypePrefix, eventSources } = dialect;
  const body: RecordedBody = {
    type: `${eventTypePrefix}${name}`,
    source: { type: accountWide.has(name) ? eventSources.account : eventSources.repo, namespace, repoName },
    payload,
    metadata: {
      accountId: account,
      eventSchemaVersion: 1,
      eventTimestamp: isoTime(at),
      ...(tokenId === undefined ? {} : { tokenId }),
    },
  };
  const text = JSON.stringify(body);
  return { id: ids.id(), at, body: text, ...(events === undefined ? { webhooksOnly: true } : {}) };
}
