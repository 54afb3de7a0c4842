import { HostingError } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import { beginRepo, madeOrUndone, type CreatedRepo } from './begin-repo.ts';
import { releaseBirth } from './release-birth.ts';
import type { RepoRequest } from './new-repo.ts';

/**
 * Makes a repo in three steps, each idempotent by its id: the catalog reserves the name, the repo's state begins, the
 * catalog publishes.
 */
export async function createRepo(context: Context, account: string, request: RepoRequest): Promise<CreatedRepo> {
  // No client knows the repo or its token before the reply, so its state may be "ready" at once.
  const line = { source: null, parentId: null, rootId: null, status: 'creating' } as const;
  const { repo, token } = await beginRepo(context, account, request, line, 'ready', { kind: 'created' });
  const ready = await madeOrUndone(context, account, repo, async () => {
    if (!(await context.catalog(account).publishRepo(repo.id))) throw new HostingError('repoNotFound');
    return { ...repo, status: 'ready' };
  });
  await releaseBirth(context, account, ready);
  return { repo: ready, token };
}
