export { cachedBucket } from './cache/cached-bucket.ts';
export { DiskCache, type DiskCacheOptions } from './cache/disk-cache.ts';
export { bucketPlace } from './s3/bucket-place.ts';
export { s3Bucket, type S3Bucket } from './s3/s3-bucket.ts';
export type { S3ClientOptions, S3Credentials, S3Request } from './s3/s3-client.ts';
export { S3Refusal } from './s3/s3-error.ts';
export { s3Packs, type S3PacksOptions } from './s3/s3-packs.ts';
