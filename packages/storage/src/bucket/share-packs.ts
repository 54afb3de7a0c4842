import type { PackId } from '@packhouse/git';
import type { PackReservations } from '../packs/reservations.ts';
import type { MaintainedRepoState } from '../repo-state/maintained.ts';
import type { PackHolders } from '../packs/holders.ts';
import { hasPacks } from '../packs/share-packs.ts';

export interface SharePacksOptions {
  /** Holders of the account's packs. */
  readonly holders: PackHolders;
  readonly from: { readonly id: string; readonly state: Pick<MaintainedRepoState, 'hasStored'> };
  readonly to: { readonly id: string; readonly reservations: PackReservations };
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Shares packs of a bucket, see `RepoStorage.sharePacks`. The bytes stay under keys of the account. It only writes
 * notes, in this order:
 *
 * 1. Both repositories hold the packs. From now on neither removes bytes while the other has them. This must be first:
 *    once a pack is begun, a sweep would remove it, and without a holder that includes its bytes.
 * 2. The packs are begun in `to`, so that a commit may add them, and otherwise a sweep finds them.
 * 3. `from` is checked again. A pack in its manifest now was not removed before it was held, since packs are retired
 *    before their removal. So its bytes exist, and stay.
 */
export async function shareBucketPacks(
  { holders, from, to, at }: SharePacksOptions,
  ids: readonly PackId[],
): Promise<boolean> {
  await holdPacks(holders, from.id, to, ids, at);
  return hasPacks(from.state, ids);
}

/** Does the first two of these steps. */
export async function holdPacks(
  holders: PackHolders,
  from: string,
  to: SharePacksOptions['to'],
  ids: readonly PackId[],
  at: number,
): Promise<void> {
  await holders.hold(ids, [from, to.id], at);
  await to.reservations.reserve(ids, at);
}
