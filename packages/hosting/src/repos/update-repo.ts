import { HostingError } from '@packhouse/base';
import { updateEvents } from '../events/update-events.ts';
import type { Context } from '../internal/context.ts';
import { settleUpdate } from '../lifecycle/settle-update.ts';
import { requireReady } from '../lookup/find-repo.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import type { UpdateRequest } from './update-request.ts';

/**
 * Updates a repo: the catalog decides in one transaction, then the update is settled (REPO-237, REPO-238). Returns the
 * repo as it is then.
 *
 * @param found its record as the caller found it.
 * @throws {HostingError} `repoNotFound`, `repoExists`, or the error of a repo that is not ready.
 */
export async function updateRepo(
  context: Context,
  account: string,
  found: RepoRecord,
  request: UpdateRequest,
): Promise<RepoRecord> {
  const { clock, dialect } = context;
  const catalog = context.catalog(account);
  const { id } = found;
  let repo: RepoRecord | undefined = found;
  // Each further attempt means that another update has succeeded.
  for (;;) {
    if (repo !== undefined && repo.unsettled !== null) repo = await settleUpdate(context, account, repo);
    if (repo === undefined) throw new HostingError('repoNotFound');
    requireReady(repo.status);
    const at = clock.now();
    const after: RepoRecord = { ...repo, ...request, updatedAt: Math.max(repo.updatedAt, at) };
    if (isSame(repo, after)) return repo;
    const { name, description, defaultBranch, readOnly, revision } = after;
    const outcome = await catalog.updateRepo(id, {
      name,
      description,
      defaultBranch,
      readOnly,
      revision,
      at,
      forkSource: `${dialect.forkSourcePrefix}${repo.namespace}/${name}`,
      events: updateEvents(context, account, repo, after),
    });
    switch (outcome.kind) {
      case 'updated': {
        const settled = await settleUpdate(context, account, outcome.repo);
        if (settled === undefined) throw new HostingError('repoNotFound');
        return settled;
      }
      case 'exists':
        throw new HostingError('repoExists', { text: `repo already exists: ${name}` });
      case 'missing':
        throw new HostingError('repoNotFound');
      case 'stale':
        repo = await catalog.repoById(id);
    }
  }
}

function isSame(before: RepoRecord, after: RepoRecord): boolean {
  const members = ['name', 'description', 'defaultBranch', 'readOnly'] as const;
  return members.every((member) => before[member] === after[member]);
}
