import { RepoGoneError, type DescribedUpdate, type FetchKind, type RecordedEvent } from '@packhouse/git';
import type { GitAccess } from './open-for-git.ts';
import type { Context } from '../internal/context.ts';
import { makeEvent, type EventName } from '../events/make-event.ts';
import { pushedEvents } from '../events/pushed-events.ts';

/** Makes and records the events of one Git request. */
export interface GitEvents {
  /**
   * Makes one event for each updated ref (REPO-194). The caller records them in the transaction of the push. Undefined:
   * nothing gets them.
   */
  readonly pushed: ((updates: readonly DescribedUpdate[]) => readonly RecordedEvent[]) | undefined;
  /** Records in the background that a reply with a pack has ended (REPO-197). Never throws. */
  readonly fetched: (kind: FetchKind) => void;
}

/** Returns undefined if neither the listener of the service nor a webhook gets events of the repository. */
export function gitEvents(
  context: Context,
  { head, token, repo, wanted }: Omit<GitAccess, 'snapshot'>,
): GitEvents | undefined {
  if (context.events === undefined && wanted.length === 0) return undefined;
  const isWanted = (name: EventName): boolean => context.events !== undefined || wanted.includes(name);
  return {
    pushed: isWanted('pushed') ? (updates) => pushedEvents(context, head, updates, token.id) : undefined,
    fetched(kind) {
      try {
        const name = kind === 'clone' ? 'cloned' : 'fetched';
        if (!isWanted(name)) return;
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
