import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import { releaseBirth } from './release-birth.ts';

/**
 * Publishes an import or a fork whose work had ended when its process died: its own state says that it is ready, and has
 * taken pushes since, which were acknowledged (GIT-155). Of a creation the state says so from the beginning.
 *
 * @returns false if there is nothing to publish.
 */
export async function publishFinished(context: Context, account: string, repo: RepoRecord): Promise<boolean> {
  if (repo.status !== 'importing' && repo.status !== 'forking') return false;
  const { state } = context.storage.repo(account, repo.id, repo.jurisdiction);
  const opened = await state.open('');
  if (opened.kind === 'gone' || opened.head.status !== 'ready') return false;
  const { defaultBranch } = opened.head;
  const found = { defaultBranch, at: context.clock.now(), bytes: await state.storedBytes(), version: opened.version };
  if (await context.catalog(account).publishRepo(repo.id, found)) await releaseBirth(context, account, repo);
  return true;
}
