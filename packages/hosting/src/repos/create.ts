import { HostingError } from '../errors.ts';
import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import { mintToken } from '../tokens/mint.ts';
import { detachRepo } from './erase.ts';
import type { RepoRequest } from './new-repo.ts';

/** A repo that was just made, and the plaintext of its first token (REPO-113). */
export interface CreatedRepo {
  readonly repo: RepoRecord;
  readonly token: string;
}

/**
 * Makes a repo in three steps, each idempotent by its id: the catalog reserves the name, the repo's state begins, the
 * catalog publishes. What fails half-way is undone here, what dies half-way by the sweep.
 */
export async function createRepo(context: Context, account: string, request: RepoRequest): Promise<CreatedRepo> {
  const { catalog, storage, clock, ids, settings } = context;
  const now = clock.now();
  const token = await mintToken(context, { scope: 'write', ttl: settings.token_ttl_default, now });
  const reserved = await catalog(account).reserveRepo(
    { ...request, id: ids.id(), source: null, status: 'creating', createdAt: now },
    token.record,
  );
  if (reserved.kind === 'exists') {
    throw new HostingError('repoExists', { text: `repo already exists: ${request.name}` });
  }
  if (reserved.kind === 'deleting') throw new HostingError('namespaceDeleting');
  const { repo } = reserved;
  let published: boolean;
  try {
    const { id, namespace, name, defaultBranch, readOnly, jurisdiction } = repo;
    // Nobody knows of the repo or its token before the reply, so its own state may say "ready" at once.
    await storage
      .repo(account, id, jurisdiction)
      .state.begin({ account, id, namespace, name, defaultBranch, readOnly, status: 'ready' }, token.record);
    published = await catalog(account).publishRepo(id);
  } catch (error) {
    await undo(context, account, repo.id).catch(() => {});
    throw error;
  }
  if (!published) throw new HostingError('repoNotFound');
  return { repo: { ...repo, status: 'ready' }, token: token.plaintext };
}

/** A failed start goes straight to "does not exist" (REPO-180). */
async function undo(context: Context, account: string, id: string): Promise<void> {
  const dropped = await context.catalog(account).dropRepo(id, context.clock.now());
  if (dropped !== undefined) await detachRepo(context, account, dropped);
}
