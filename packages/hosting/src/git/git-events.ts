import {
  RepoGoneError,
  zeroObjectId,
  type DescribedUpdate,
  type FetchKind,
  type PushedCommit,
  type RecordedEvent,
} from '@packhouse/git';
import type { GitAccess } from './open-for-git.ts';
import type { Context } from '../internal/context.ts';
import { isoTime } from '@packhouse/base';
import { makeEvent } from '../events/make-event.ts';

/** Makes and records the events of one Git request. */
export interface GitEvents {
  /** Makes one event for each updated ref (REPO-194). The caller records them in the transaction of the push. */
  readonly pushed: (updates: readonly DescribedUpdate[]) => readonly RecordedEvent[];
  /** Records in the background that a reply with a pack has ended (REPO-197). Never throws. */
  readonly fetched: (kind: FetchKind) => void;
}

/** Returns undefined if the service records no events. */
export function gitEvents(context: Context, { head, token, repo }: Omit<GitAccess, 'snapshot'>): GitEvents | undefined {
  if (context.events === undefined) return undefined;
  const event = (name: 'pushed' | 'cloned' | 'fetched', payload: Readonly<Record<string, unknown>>): RecordedEvent =>
    makeEvent(context, name, head, payload, context.clock.now(), token.id);
  return {
    pushed: (updates) => updates.map((update) => event('pushed', pushedPayload(update))),
    fetched(kind) {
      try {
        const recording = repo.state.record(event(kind === 'clone' ? 'cloned' : 'fetched', {})).then(
          () => {},
          (error: unknown) => {
            // The client has its reply, so deleting the repository meanwhile is not an error.
            if (!(error instanceof RepoGoneError)) context.report(error);
          },
        );
        context.background(recording);
      } catch (error) {
        context.report(error);
      }
    },
  };
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
