import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import { releaseBirth } from './release-birth.ts';

/**
 * Whether the work on an import or a fork had ended: its own state says that it is ready, and has taken pushes since, which
 * were acknowledged (GIT-155). Of a creation the state says so from the beginning.
 *
 * @param repo as it is in the catalog, or was reserved.
 */
export async function isFinished({ storage }: Context, account: string, repo: RepoRecord): Promise<boolean> {
  if (repo.status !== 'importing' && repo.status !== 'forking') return false;
  const opened = await storage.repo(account, repo.id, repo.jurisdiction).state.open('');
  return opened.kind === 'open' && opened.head.status === 'ready';
}

/** Publishes one that is {@link isFinished}, if it was not deleted. */
export async function publishFinished(context: Context, account: string, repo: RepoRecord): Promise<void> {
  const { state } = context.storage.repo(account, repo.id, repo.jurisdiction);
  const opened = await state.open('');
  if (opened.kind === 'gone') return;
  const { defaultBranch } = opened.head;
  const found = { defaultBranch, at: context.clock.now(), bytes: await state.storedBytes(), version: opened.version };
  if (await context.catalog(account).publishRepo(repo.id, found)) await releaseBirth(context, account, repo);
}
