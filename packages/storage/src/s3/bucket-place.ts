import type { Bucket, PiecedBody } from '../bucket/bucket.ts';
import { markPrefix, isOtherMark, markOf, type PackPlace } from '../packs/pack-place.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { s3Packs } from './s3-packs.ts';

/**
 * Makes a bucket the place of the packs of several servers.
 *
 * @param bucket Closed when the packs are closed.
 * @param cached The same behind `cachedBucket`. Default: the bucket itself.
 */
export function bucketPlace(bucket: S3Bucket, cached: Bucket<PiecedBody> = bucket): PackPlace {
  return {
    async mark(database) {
      // Not every store takes an empty object.
      await bucket.put(markOf(database), new TextEncoder().encode(database), { onlyIf: new Headers() });
    },
    async isTaken(database) {
      for await (const names of bucket.keys({ beginning: markPrefix }))
        if (names.some((name) => isOtherMark(name, database))) return true;
      return false;
    },
    isMarked: async (database) => (await bucket.head(markOf(database))) !== null,
    open: (notes) => s3Packs({ bucket: cached, ...notes, onClose: () => bucket.close() }),
  };
}
