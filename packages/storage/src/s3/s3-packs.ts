import type { Bucket, PiecedBody } from '../bucket/bucket.ts';
import { bucketPackStore } from '../bucket/pack-store.ts';
import { sleepWithJitter, type Sleep } from '../bucket/retry.ts';
import { holdPacks } from '../bucket/share-packs.ts';
import type { PackHolders } from '../packs/holders.ts';
import type { PackStores } from '../packs/pack-stores.ts';
import type { PackReservations } from '../packs/reservations.ts';

export interface S3PacksOptions {
  /** That of `s3Bucket`, also behind `cachedBucket`. */
  readonly bucket: Bucket<PiecedBody>;
  readonly reservations: (account: string, id: string) => PackReservations;
  readonly holders: (account: string) => PackHolders;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Waits between attempts. Default: up to a few seconds, enough for a store that restarts. */
  readonly sleep?: Sleep;
  /** Called by `close`. */
  readonly onClose?: () => void;
}

/** Keeps the packs of all repositories in a bucket, like `bucketPackStore`. */
export function s3Packs(options: S3PacksOptions): PackStores {
  const { bucket, reservations, holders, now = Date.now } = options;
  const sleep: Sleep = options.sleep ?? ((milliseconds) => sleepWithJitter(4 * milliseconds));
  return {
    repo: (account, id) =>
      bucketPackStore({
        bucket,
        account,
        repoId: id,
        reservations: reservations(account, id),
        holders: holders(account),
        now,
        sleep,
        openStream: null,
      }),
    async share(account, from, to, ids) {
      await holdPacks(holders(account), from, { id: to, reservations: reservations(account, to) }, ids, now());
      return true;
    },
    close: () => options.onClose?.(),
  };
}
