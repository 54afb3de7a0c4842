import { RepoGoneError, type PackId } from '@packhouse/git';
import type { RepoPlace } from '@packhouse/hosting';
import type { PackStores } from './pack-stores.ts';
import type { MaintainedRepoState } from '../repo-state/maintained.ts';

/**
 * Shares packs, see `RepoStorage.sharePacks`. `packs` puts them into `to`; then `from` is asked again, since
 * a pack in its manifest now was not removed before.
 */
export async function sharePacks(
  packs: PackStores,
  stateOf: (id: string) => Pick<MaintainedRepoState, 'hasStored'>,
  account: string,
  [from, to]: readonly [RepoPlace, RepoPlace],
  ids: readonly PackId[],
): Promise<boolean> {
  checkPlaces(from, to);
  await demandAlive(stateOf(to.id));
  return (await packs.share(account, from.id, to.id, ids)) && (await hasPacks(stateOf(from.id), ids));
}

/**
 * Checks the arguments of `RepoStorage.sharePacks`, for every storage.
 *
 * @throws {RangeError} if both are the same repository, or their jurisdictions differ.
 */
export function checkPlaces(from: RepoPlace, to: RepoPlace): void {
  if (from.id === to.id) throw new RangeError('A repository shares no packs with itself');
  if (from.jurisdiction !== to.jurisdiction) throw new RangeError('Packs stay within their jurisdiction');
}

/** @throws {RepoGoneError} if the repository that shall receive packs was deleted. */
export async function demandAlive(state: Pick<MaintainedRepoState, 'hasStored'>): Promise<void> {
  await state.hasStored([]);
}

/** Tests if the manifest of a repository has these packs, with their bytes in the store; false if it was deleted. */
export async function hasPacks(
  state: Pick<MaintainedRepoState, 'hasStored'>,
  ids: readonly PackId[],
): Promise<boolean> {
  try {
    return await state.hasStored(ids);
  } catch (error) {
    if (error instanceof RepoGoneError) return false;
    throw error;
  }
}
