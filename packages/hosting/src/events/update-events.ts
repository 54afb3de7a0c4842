import type { RecordedEvent } from '@packhouse/git';
import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import { makeEvent } from './make-event.ts';
import { repoPayload } from './repo-payload.ts';

/**
 * Makes the events of an update (REPO-240), which the repo's state records with it.
 */
export function updateEvents(
  context: Context,
  account: string,
  before: RepoRecord,
  after: RepoRecord,
): readonly RecordedEvent[] {
  const { namespace, name, updatedAt } = after;
  const subject = { account, namespace, name };
  const payload = repoPayload(after);
  const isRenamed = name !== before.name;
  const isUpdated =
    after.description !== before.description ||
    after.defaultBranch !== before.defaultBranch ||
    after.readOnly !== before.readOnly;
  return [
    ...(isRenamed
      ? [makeEvent(context, 'renamed', subject, { ...payload, previousRepoName: before.name }, updatedAt)]
      : []),
    ...(isUpdated ? [makeEvent(context, 'updated', subject, payload, updatedAt)] : []),
  ];
}
