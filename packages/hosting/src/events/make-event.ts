import type { RecordedEvent } from '@packhouse/git';
import type { Context } from '../internal/context.ts';
import { isoTime } from '@packhouse/base';
import type { EventBody } from '../ports/on-event.ts';

/** Which repo an event is about, in its stored spelling. For `forked` it is the parent. */
export interface EventSubject {
  readonly account: string;
  readonly namespace: string;
  readonly name: string;
}

/** REPO-192: those about the account, then those about one repo. */
export type EventName =
  | 'created'
  | 'deleted'
  | 'forked'
  | 'imported'
  | 'pushed'
  | 'cloned'
  | 'fetched'
  | 'token.created'
  | 'token.revoked';

const accountWide: ReadonlySet<EventName> = new Set(['created', 'deleted', 'forked', 'imported']);

/** What is recorded: {@link EventBody} but for what hangs on who listens when it is delivered. */
export type RecordedBody = Omit<EventBody, 'metadata'> & {
  readonly metadata: Omit<EventBody['metadata'], 'eventSubscriptionId'>;
};

/**
 * An event to be recorded with the change that it tells of (REPO-191).
 *
 * @param at milliseconds since 1970: the time of the change.
 * @param tokenId the repo token behind it (REPO-199).
 */
export function makeEvent(
  { dialect, ids }: Pick<Context, 'dialect' | 'ids'>,
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
  return { id: ids.id(), at, body: JSON.stringify(body) };
}
