import { HostingError } from '../errors.ts';
import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import type { HostedRepo } from '../ports/repo-storage.ts';

/** What was put into a repo that is about to be ready. */
export interface RepoFilling {
  readonly defaultBranch: string;
  /** Of the commit that did it; undefined: nothing was there to put in. */
  readonly version: number | undefined;
}

/**
 * Makes a repo ready that an import or a fork has filled: its own state first, then the catalog.
 *
 * @throws {HostingError} `repoNotFound` if it was deleted meanwhile.
 */
export async function finishRepo(
  { catalog, clock }: Context,
  account: string,
  repo: RepoRecord,
  { state }: HostedRepo,
  { defaultBranch, version }: RepoFilling,
): Promise<RepoRecord> {
  await state.setStatus('ready', defaultBranch);
  const bytes = version === undefined ? 0 : await state.storedBytes();
  const at = clock.now();
  const found = { defaultBranch, at, bytes, version: version ?? 1 };
  if (!(await catalog(account).publishRepo(repo.id, found))) throw new HostingError('repoNotFound');
  return { ...repo, status: 'ready', defaultBranch, updatedAt: at };
}
