import { RepoGoneError, type DescribedUpdate, type FetchKind, type RecordedEvent } from '@packhouse/git';
import type { GitAccess } from './open-for-git.ts';
import type { Context } from '../internal/context.ts';
import { makeEvent } from '../events/make-event.ts';
import { pushedEvents } from '../events/pushed-events.ts';

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
  return {
    pushed: (updates) => pushedEvents(context, head, updates, token.id),
    fetched(kind) {
      try {
        const name = kind === 'clone' ? 'cloned' : 'fetched';
        const recording = repo.state.record(makeEvent(context, name, head, {}, context.clock.now(), token.id)).then(
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
