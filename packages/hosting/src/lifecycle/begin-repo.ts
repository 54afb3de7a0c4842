import { HostingError } from '@packhouse/base';
import { birthEvents, type Birth } from '../events/birth-events.ts';
import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';
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
  /** What is kept of `token`. */
  readonly firstToken: TokenRecord;
}

/**
 * Takes the name of a new repo in the catalog and begins its state. What fails half-way is undone here, what dies half-way
 * by the sweep.
 *
 * @param status that of the state, for requests of Git; the catalog publishes later.
 * @param birth where nothing is to be put into the repo: what it is that is told of.
 * @throws {HostingError} `repoExists` or `namespaceDeleting`.
 */
export async function beginRepo(
  context: Context,
  account: string,
  request: RepoRequest,
  line: { readonly source: string | null; readonly status: Exclude<RepoStatus, 'ready'> },
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
 * Does what makes a repo ready and publishes it, or undoes the repo. One that is whole when the work fails lacks at most
 * that it is published, which is tried again, and then left to the sweep: pushes to it may have been acknowledged. One that
 * is published is there for who asked for it, whatever failed on the way of the answer.
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
    const isWhole = await isFinished(context, account, repo).catch(() => false);
    if (isWhole) await publishFinished(context, account, repo).catch(() => {});
    const isUndone = !isWhole && (await undo(context, account, repo.id));
    const made = isUndone ? undefined : await published(context, account, repo.id);
    if (made === undefined) throw error;
    return made;
  }
}

/** Whether there was something to undo. What fails here is the sweep's. */
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
