export type { PackReservations } from './packs/reservations.ts';
export type { MaintainedRepoState } from './repo-state/maintained.ts';
export { sqlPackReservations } from './sql/repo-state/reservations.ts';
export { sqlPreparedRecords } from './sql/repo-state/prepared-records.ts';
export type {
  Bucket,
  BucketBody,
  BucketObject,
  BucketObjectBody,
  BucketPart,
  BucketRange,
  BucketUpload,
  OpenSizedStream,
} from './bucket/bucket.ts';
export { memoryPackHolders, type PackHolders, type Released } from './packs/holders.ts';
export { checkPlaces } from './packs/share-packs.ts';
export { packHolderMigrations, sqlPackHolders } from './sql/catalog/pack-holders.ts';
export { shareBucketPacks, type SharePacksOptions } from './bucket/share-packs.ts';
export { bucketPackStore, type BucketPackStoreOptions } from './bucket/pack-store.ts';
export type { OnOperation, OperationKind } from './bucket/traffic.ts';
