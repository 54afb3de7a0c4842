import { RepoGoneError } from '@packhouse/git';
import { HostingError } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import { foldName } from '../names/fold.ts';
import type { HostedRepo, HostedSnapshot } from '../ports/repo-storage.ts';
import { findReadyRepo } from './find-repo.ts';
import { isSameName, type KnownRepo, type KnownRepos } from './known-repos.ts';

/** A repo by its id, even if its name has changed. */
export interface RepoIdentity extends KnownRepo {
  readonly account: string;
}

/** A repo by its name, in any case. */
export interface RepoPath {
  readonly account: string;
  readonly namespace: string;
  readonly repo: string;
  /** Ids of the only repos that the caller may reach (REPO-365). Default: all. */
  readonly within?: readonly string[] | undefined;
}

/** A repo with the one state that a whole request reads. */
export interface OpenRepo {
  readonly repo: HostedRepo;
  readonly snapshot: HostedSnapshot;
}

/**
 * Opens a repo for reading. Finds the id of the name in the cache or the catalog, then visits the state once. The state
 * of a deleted or renamed repo says so, so no process need be notified.
 *
 * @throws {HostingError} `repoNotFound`, or the error of a repo that is not ready (REPO-089).
 */
export async function openRepo(context: Context, known: KnownRepos, path: RepoPath): Promise<OpenRepo> {
  const { account, namespace, repo, within } = path;
  const remembered = known.find(account, namespace, repo);
  if (remembered !== undefined && within?.includes(remembered.id) !== false) {
    const opened = await visit(context, known, { account, ...remembered });
    if (opened !== undefined && isSameName(opened.snapshot.name, repo)) return opened;
    known.forget(account, namespace, repo);
  }
  const record = await findReadyRepo(context, account, namespace, repo, within);
  known.note(account, namespace, repo, record);
  return openById(context, known, { account, id: record.id, jurisdiction: record.jurisdiction });
}

/** Opens a repo for reading, by its name or its id. Throws the errors of {@link openRepo} and {@link openById}. */
export function openPlace(context: Context, known: KnownRepos, place: RepoPath | RepoIdentity): Promise<OpenRepo> {
  return 'id' in place ? openById(context, known, place) : openRepo(context, known, place);
}

/** Returns texts that identify a repo in the cursors of its lists. */
export function identityOf(place: RepoPath | RepoIdentity): readonly string[] {
  const { account } = place;
  return 'id' in place ? [account, place.id] : [account, foldName(place.namespace), foldName(place.repo)];
}

/** @throws {HostingError} `repoNotFound` once it is deleted. */
export async function openById(context: Context, known: KnownRepos, identity: RepoIdentity): Promise<OpenRepo> {
  const opened = await visit(context, known, identity);
  if (opened === undefined) throw new HostingError('repoNotFound');
  return opened;
}

/** Undefined: it was deleted. */
async function visit(
  { storage }: Context,
  known: KnownRepos,
  { account, id, jurisdiction }: RepoIdentity,
): Promise<OpenRepo | undefined> {
  const repo = storage.repo(account, id, jurisdiction);
  const held = known.snapshot(id);
  try {
    const snapshot = (await repo.state.snapshot(held?.version)) ?? held;
    if (snapshot === undefined) throw new Error('The state of the repo answered no snapshot');
    if (snapshot !== held) known.keep(id, snapshot);
    return { repo, snapshot };
  } catch (error) {
    if (error instanceof RepoGoneError) return undefined;
    throw error;
  }
}
