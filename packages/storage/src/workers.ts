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
} from './r2/bucket.ts';
export { memoryPackHolders, type PackHolders, type Released } from './packs/holders.ts';
export { checkPlaces } from './packs/share-packs.ts';
export { packHolderMigrations, sqlPackHolders } from './sql/catalog/pack-holders.ts';
export { shareR2Packs, type SharePacksOptions } from './r2/share-packs.ts';
export { r2PackStore, type R2PackStoreOptions } from './r2/pack-store.ts';
export type { OnOperation, OperationKind } from './r2/traffic.ts';
