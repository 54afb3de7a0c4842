import type { RecordedEvent } from '@packhouse/git';
import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import type { TokenRecord } from '../ports/repo-storage.ts';
import { makeEvent } from './make-event.ts';
import { repoPayload } from './repo-payload.ts';
import { tokenCreated } from './token-events.ts';

/** The operation that made a new repo, with the facts that its event reports. */
export type Birth =
  | { readonly kind: 'created' }
  | { readonly kind: 'forked'; readonly parent: RepoRecord }
  /** `sourceUrl` ends in `.git`. `branch` is undefined if the client asked for none. */
  | { readonly kind: 'imported'; readonly sourceUrl: string; readonly branch: string | undefined };

/**
 * Makes the events of a repo that becomes usable, and of its first token (REPO-192, REPO-193). The caller records them
 * as held, and releases them when it publishes the repo.
 *
 * @param repo the record of the repo when it is ready.
 */
export function birthEvents(
  context: Context,
  account: string,
  repo: RepoRecord,
  firstToken: TokenRecord,
  birth: Birth,
): readonly RecordedEvent[] {
  const payload = repoPayload(repo);
  const { namespace, name } = repo;
  const itself = { account, namespace, name };
  const at = repo.updatedAt;
  const first = (): RecordedEvent => {
    switch (birth.kind) {
      case 'created':
        return makeEvent(context, 'created', itself, payload, at);
      case 'forked': {
        const parent = { account, namespace: birth.parent.namespace, name: birth.parent.name };
        return makeEvent(context, 'forked', parent, { ...payload, namespace, repoName: name }, at);
      }
      case 'imported': {
        const { sourceUrl, branch = null } = birth;
        return makeEvent(context, 'imported', itself, { ...payload, sourceUrl, branch }, at);
      }
    }
  };
  return [first(), tokenCreated(context, itself, firstToken, at)];
}
