import { HostingError } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import type { RepoStatus } from '../ports/repo-storage.ts';

/** Seconds after which a client may ask again about a repo that is not ready (REPO-089, GIT-030). */
export const notReadyRetryAfter = 1;

/**
 * @param within Ids of the only repos that the caller may reach. Default: all.
 * @throws {HostingError} if there is no such repo, or it is not ready (REPO-089).
 */
export async function findReadyRepo(
  { catalog }: Context,
  account: string,
  namespace: string,
  name: string,
  within?: readonly string[],
): Promise<RepoRecord> {
  const repo = await catalog(account).repo(namespace, name);
  if (repo === undefined || within?.includes(repo.id) === false) throw new HostingError('repoNotFound');
  requireReady(repo.status);
  return repo;
}

/** @throws {HostingError} 409 unless the repo is ready. */
export function requireReady(status: RepoStatus): void {
  if (status !== 'ready') throw new HostingError(status, { retryAfter: notReadyRetryAfter });
}
