import { RepoGoneError } from '@packhouse/git';
import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import { releaseBirth } from './release-birth.ts';

/**
 * Tests if the work on an import or a fork had ended. Its state is ready then, and may have taken pushes, which were
 * acknowledged (GIT-155). The state of a creation is ready from the beginning.
 *
 * @param repo Its record in the catalog, or the reserved one.
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
  const bytes = await state.storedBytes().catch((error: unknown) => {
    if (error instanceof RepoGoneError) return undefined;
    throw error;
  });
  if (bytes === undefined) return;
  const found = { defaultBranch, at: context.clock.now(), bytes, version: opened.version };
  if (await context.catalog(account).publishRepo(repo.id, found)) await releaseBirth(context, account, repo);
}
