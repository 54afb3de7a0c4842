import { HostingError } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import { requireReady } from './find-repo.ts';
import { isSameName, type KnownRepos } from './known-repos.ts';
import { openById, type OpenRepo, type RepoIdentity, type RepoPath } from './open-repo.ts';
import type { RepoRecord } from '../ports/catalog.ts';

/** The name of a repo of the same fork family. */
export interface RelativeName {
  /** Default: the namespace of the repo that is asked. */
  readonly namespace?: string | undefined;
  readonly repo: string;
}

/**
 * Opens another repo of a fork family for reading (REPO-275): a parent, a fork, or a fork of the same parent. A family is
 * known by the id of its first repo, which outlives that repo. So no repo enters a family with a name that became free.
 *
 * The caller may read `place`, and `place.within` says if it reaches the relative, too (REPO-365). A caller that has
 * `place` by its id is a binding of one namespace, and stays in it.
 *
 * @param opened the record of `place` where the caller has opened it, so that its name is not looked up again: another
 *   repo may have that name by now.
 * @throws {HostingError} `repoNotFound` for a repo outside of the family, too; the error of either repo that is not ready.
 */
export async function openRelative(
  context: Context,
  known: KnownRepos,
  place: RepoPath | RepoIdentity,
  { namespace, repo }: RelativeName,
  opened?: RepoRecord,
): Promise<OpenRepo> {
  const { account } = place;
  const catalog = context.catalog(account);
  const asked =
    opened ?? (await ('id' in place ? catalog.repoById(place.id) : catalog.repo(place.namespace, place.repo)));
  if (asked === undefined) throw new HostingError('repoNotFound');
  requireReady(asked.status);
  const isForeign = namespace !== undefined && 'id' in place && !isSameName(namespace, asked.namespace);
  const relative = isForeign ? undefined : await catalog.repo(namespace ?? asked.namespace, repo);
  if (relative === undefined || familyOf(relative) !== familyOf(asked)) throw new HostingError('repoNotFound');
  if (!('id' in place) && place.within?.includes(relative.id) === false) throw new HostingError('repoNotFound');
  requireReady(relative.status);
  return openById(context, known, { account, id: relative.id, jurisdiction: relative.jurisdiction });
}

function familyOf({ id, rootId }: RepoRecord): string {
  return rootId ?? id;
}
