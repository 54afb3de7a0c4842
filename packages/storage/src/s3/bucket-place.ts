import type { Bucket, PiecedBody } from '../bucket/bucket.ts';
import { markOf, type PackPlace } from '../packs/pack-place.ts';
import { s3Packs } from './s3-packs.ts';

/**
 * Makes a bucket the place of the packs of several servers.
 *
 * @param bucket That of `s3Bucket`, also behind `cachedBucket`.
 * @param onClose is called when the packs are closed.
 */
export function bucketPlace(bucket: Bucket<PiecedBody>, onClose?: () => void): PackPlace {
  return {
    async mark(database) {
      // Not every store takes an empty object.
      await bucket.put(markOf(database), new TextEncoder().encode(database), { onlyIf: new Headers() });
    },
    isMarked: async (database) => (await bucket.head(markOf(database))) !== null,
    open: (notes) => s3Packs({ bucket, ...notes, ...(onClose !== undefined && { onClose }) }),
  };
}
