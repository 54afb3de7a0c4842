import { HostingError } from '../errors.ts';
import type { Context } from '../internal/context.ts';
import { beginRepo, orUndo, type CreatedRepo } from './begin-repo.ts';
import { releaseBirth } from './release-birth.ts';
import type { RepoRequest } from './new-repo.ts';

/**
 * Makes a repo in three steps, each idempotent by its id: the catalog reserves the name, the repo's state begins, the
 * catalog publishes.
 */
export async function createRepo(context: Context, account: string, request: RepoRequest): Promise<CreatedRepo> {
  // Nobody knows of the repo or its token before the reply, so its own state may say "ready" at once.
  const line = { source: null, status: 'creating' } as const;
  const { repo, token } = await beginRepo(context, account, request, line, 'ready', { kind: 'created' });
  const published = await orUndo(context, account, repo.id, () => context.catalog(account).publishRepo(repo.id));
  if (!published) throw new HostingError('repoNotFound');
  await releaseBirth(context, account, repo);
  return { repo: { ...repo, status: 'ready' }, token };
}
