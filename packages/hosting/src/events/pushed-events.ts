import { zeroObjectId, type DescribedUpdate, type PushedCommit, type RecordedEvent } from '@packhouse/git';
import { isoTime } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import { makeEvent, type EventSubject } from './make-event.ts';

/**
 * Makes one event for each updated ref (REPO-194). The caller records them in the transaction of the change.
 *
 * @param tokenId id of the repo token that made the change (REPO-199). Default: the events name none.
 */
export function pushedEvents(
  context: Context,
  subject: EventSubject,
  updates: readonly DescribedUpdate[],
  tokenId?: string,
): readonly RecordedEvent[] {
  return updates.map((update) =>
    makeEvent(context, 'pushed', subject, pushedPayload(update), context.clock.now(), tokenId),
  );
}

/** Makes the payload of a `pushed` event (REPO-194). */
function pushedPayload({
  name,
  before,
  after,
  commits,
  total,
  truncated,
}: DescribedUpdate): Readonly<Record<string, unknown>> {
  return {
    ref: name,
    before: before ?? zeroObjectId,
    after: after ?? zeroObjectId,
    commits: commits.map(commitOf),
    totalCommitsCount: total,
    commitsTruncated: truncated,
  };
}

/** The last second of the year 9999, in seconds since 1970. */
const lastSecond = 253_402_300_799;

/** Makes the entry of a commit (REPO-196). ISO 8601 has no usual form for later years: their times become 1970. */
function commitOf({ id, message, messageTruncated, committedAt, author, committer, parents }: PushedCommit): object {
  const timestamp = isoTime(committedAt > lastSecond ? 0 : committedAt * 1000);
  return { id, message, messageTruncated, timestamp, author, committer, parents };
}
