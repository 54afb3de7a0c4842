import type { PackStore } from '@packhouse/git';
import { bucketPackStore, type BucketPackStoreOptions } from '../bucket/pack-store.ts';
import { sleepWithJitter } from '../bucket/retry.ts';

/** Factor of the waits between attempts: 400 to 1,600 milliseconds, enough for a store that restarts. */
const patience = 4;

/** Stores the packs of one repository in a bucket of `s3Bucket`, like `bucketPackStore`. */
export function s3PackStore(options: Omit<BucketPackStoreOptions, 'openStream'>): PackStore {
  return bucketPackStore({
    sleep: (milliseconds) => sleepWithJitter(patience * milliseconds),
    ...options,
    openStream: null,
  });
}
