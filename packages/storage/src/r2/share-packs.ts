import type { PackId } from '@packhouse/git';
import type { PackReservations } from '../packs/reservations.ts';
import type { MaintainedRepoState } from '../repo-state/maintained.ts';
import type { PackHolders } from '../packs/holders.ts';
import { hasPacks } from '../packs/share-packs.ts';

export interface SharePacksOptions {
  /** Those of the account. */
  readonly holders: PackHolders;
  readonly from: { readonly id: string; readonly state: Pick<MaintainedRepoState, 'hasStored'> };
  readonly to: { readonly id: string; readonly reservations: PackReservations };
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Shares packs of a bucket, see `RepoStorage.sharePacks`. The bytes stay where they are, under keys of the account; only
 * notes are made, in this order:
 *
 * 1. Both repositories hold the packs. From now on neither removes bytes while the other has them. First, for a note of a
 *    pack begun would have a sweep remove it, and with no holder noted that means: its bytes.
 * 2. The packs are begun in `to`, so that a commit may add them, and a sweep finds them if none does.
 * 3. `from` is looked at again. A pack in its manifest now cannot have been removed before it was held: what removes
 *    packs retires them first. So its bytes are there, and stay.
 */
export async function shareR2Packs(
  { holders, from, to, at }: SharePacksOptions,
  ids: readonly PackId[],
): Promise<boolean> {
  await holders.hold(ids, [from.id, to.id], at);
  await to.reservations.reserve(ids, at);
  return hasPacks(from.state, ids);
}
