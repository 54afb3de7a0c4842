import { HostingError } from '@packhouse/base';
import { birthEvents, type Birth } from '../events/birth-events.ts';
import type { Context } from '../internal/context.ts';
import type { NewRepo, RepoRecord } from '../ports/catalog.ts';
import type { RepoStatus, TokenRecord } from '../ports/repo-storage.ts';
import { mintToken } from '../tokens/mint.ts';
import { detachRepo } from './erase.ts';
import { isFinished, publishFinished } from './publish-finished.ts';
import type { RepoRequest } from './new-repo.ts';

/** A repo that was just made, and the plaintext of its first token (REPO-113). */
export interface CreatedRepo {
  readonly repo: RepoRecord;
  readonly token: string;
}

/** A repo whose state has begun. */
export interface BegunRepo extends CreatedRepo {
  /** The stored form of `token`. */
  readonly firstToken: TokenRecord;
}

/**
 * Reserves the name of a new repo in the catalog and begins its state. Undoes both after a failure; the sweep does after
 * the end of the process.
 *
 * @param status The status in the state, which Git requests see. The catalog publishes the repo later.
 * @param birth The event of a repo that begins empty. Default: none, since its work records one.
 * @throws {HostingError} `repoExists` or `namespaceDeleting`.
 */
export async function beginRepo(
  context: Context,
  account: string,
  request: RepoRequest,
  line: Pick<NewRepo, 'source' | 'parentId' | 'rootId'> & { readonly status: Exclude<RepoStatus, 'ready'> },
  status: RepoStatus,
  birth?: Birth,
): Promise<BegunRepo> {
  const { catalog, storage, clock, ids, settings } = context;
  const now = clock.now();
  const token = await mintToken(context, { scope: 'write', ttl: settings.token_ttl_default, now });
  const reserved = await catalog(account).reserveRepo(
    { ...request, ...line, id: ids.id(), createdAt: now },
    token.record,
  );
  if (reserved.kind === 'exists') {
    throw new HostingError('repoExists', { text: `repo already exists: ${request.name}` });
  }
  if (reserved.kind === 'deleting') throw new HostingError('namespaceDeleting');
  const { repo } = reserved;
  const { id, namespace, name, defaultBranch, readOnly, jurisdiction } = repo;
  const events = birth === undefined ? [] : birthEvents(context, account, repo, token.record, birth);
  await orUndo(context, account, id, () =>
    storage
      .repo(account, id, jurisdiction)
      .state.begin({ account, id, namespace, name, defaultBranch, readOnly, status }, token.record, events),
  );
  return { repo, token: token.plaintext, firstToken: token.record };
}

/** Does what makes a repo ready, or undoes the repo: a failed start goes straight to "does not exist" (REPO-180). */
export async function orUndo<Result>(
  context: Context,
  account: string,
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await undo(context, account, id);
    throw error;
  }
}

/**
 * Runs the work that makes a repo ready, and publishes the repo. If the work fails, undoes the repo, unless its state is
 * already ready: pushes to it may have been acknowledged, so it is published again, or left to the sweep. A state that
 * cannot be read may be ready, too. A published repo is returned even if the reply of the catalog was lost.
 */
export async function madeOrUndone(
  context: Context,
  account: string,
  repo: RepoRecord,
  work: () => Promise<RepoRecord>,
): Promise<RepoRecord> {
  try {
    return await work();
  } catch (error) {
    const isWhole = await isFinished(context, account, repo).catch(() => undefined);
    // The sweep finds out, and finishes or undoes it.
    if (isWhole === undefined) throw error;
    if (isWhole) await publishFinished(context, account, repo).catch(() => {});
    const isUndone = !isWhole && (await undo(context, account, repo.id));
    const made = isUndone ? undefined : await published(context, account, repo.id);
    if (made === undefined) throw error;
    return made;
  }
}

/** Returns true if there was something to undo. The sweep repeats it after a failure. */
async function undo(context: Context, account: string, id: string): Promise<boolean> {
  const dropped = await context
    .catalog(account)
    .dropRepo(id, context.clock.now())
    .catch(() => undefined);
  if (dropped !== undefined) await detachRepo(context, account, dropped).catch(() => {});
  return dropped !== undefined;
}

async function published({ catalog }: Context, account: string, id: string): Promise<RepoRecord | undefined> {
  const repo = await catalog(account)
    .repoById(id)
    .catch(() => undefined);
  return repo?.status === 'ready' ? repo : undefined;
}
