export type { PackReservations } from './packs/reservations.ts';
export type { MaintainedRepoState } from './repo-state/maintained.ts';
export { sqlPackReservations } from './repo-state/sql-reservations.ts';
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
export { memoryPackHolders, type PackHolders, type Released } from './sharing/holders.ts';
export { packHolderMigrations } from './sharing/schema.ts';
export { checkPlaces } from './sharing/share-packs.ts';
export { sqlPackHolders } from './sharing/sql-holders.ts';
export { shareR2Packs, type SharePacksOptions } from './r2/share-packs.ts';
export { r2PackStore, type R2PackStoreOptions } from './r2/pack-store.ts';
export type { OnOperation, OperationKind } from './r2/traffic.ts';
