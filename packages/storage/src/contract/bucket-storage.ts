import type { PackStore } from '@packhouse/git';
import type { RepoStorage } from '@packhouse/hosting';
import type { PackReservations } from '../packs/reservations.ts';
import { bucketPackStore, type BucketPackStoreOptions } from '../bucket/pack-store.ts';
import { shareBucketPacks } from '../bucket/share-packs.ts';
import type { MaintainedRepoState } from '../repo-state/maintained.ts';
import { checkPlaces } from '../packs/share-packs.ts';

/** State of a repository whose packs are in a bucket. */
export interface BucketRepo {
  readonly state: MaintainedRepoState;
  readonly reservations: PackReservations;
}

/** Assembles repositories with packs in one bucket, like Workers. */
export function bucketStorage(
  repo: (id: string) => BucketRepo,
  options: Pick<BucketPackStoreOptions, 'bucket' | 'holders' | 'openStream'>,
): RepoStorage {
  const packsOf = (account: string, id: string): PackStore =>
    bucketPackStore({
      ...options,
      account,
      repoId: id,
      reservations: repo(id).reservations,
      sleep: async () => undefined,
    });
  return {
    repo: (account, id) => ({ id, state: repo(id).state, packs: packsOf(account, id) }),
    async sharePacks(_, from, to, ids) {
      checkPlaces(from, to);
      const { holders } = options;
      const [parent, child] = [
        { ...repo(from.id), id: from.id },
        { ...repo(to.id), id: to.id },
      ];
      return shareBucketPacks({ holders, from: parent, to: child, at: Date.now() }, ids);
    },
  };
}
