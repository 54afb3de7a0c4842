import { RepoGoneError, type PackId } from '@packhouse/git';
import type { RepoPlace } from '@packhouse/hosting';
import type { MaintainedRepoState } from '../repo-state/maintained.ts';

/**
 * What every storage asks of `RepoStorage.sharePacks`.
 *
 * @throws {RangeError} for one repository as both, or for two of different jurisdictions.
 */
export function checkPlaces(from: RepoPlace, to: RepoPlace): void {
  if (from.id === to.id) throw new RangeError('A repository shares no packs with itself');
  if (from.jurisdiction !== to.jurisdiction) throw new RangeError('Packs stay within their jurisdiction');
}

/** @throws {RepoGoneError} if the repository that packs are to be shared with was deleted. */
export async function demandAlive(state: Pick<MaintainedRepoState, 'hasStored'>): Promise<void> {
  await state.hasStored([]);
}

/** Whether a repository has these packs in its manifest, with their bytes in the store; false if it was deleted. */
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
