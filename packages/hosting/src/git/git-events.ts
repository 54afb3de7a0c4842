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

/** What a request of Git records. */
export interface GitEvents {
  /** The events of a push, to be recorded with its changes: one a ref (REPO-194). */
  readonly pushed: (updates: readonly DescribedUpdate[]) => readonly RecordedEvent[];
  /** Records that a reply with a pack was taken (REPO-197), beside whatever goes on. Never throws. */
  readonly fetched: (kind: FetchKind) => void;
}

/** Undefined: nobody listens. */
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
            // The client has what it asked for; that the repository was deleted meanwhile is no fault.
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

/** REPO-194. */
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

/** Seconds since 1970: the last one whose year has four digits. */
const lastSecond = 253_402_300_799;

/** REPO-196. A time that no form of ISO 8601 has without agreement is as none. */
function commitOf({ id, message, messageTruncated, committedAt, author, committer, parents }: PushedCommit): object {
  const timestamp = isoTime(committedAt > lastSecond ? 0 : committedAt * 1000);
  return { id, message, messageTruncated, timestamp, author, committer, parents };
}
