export { sharedStorage, type PacksPlace, type SharedStorage } from './config/shared-storage.ts';
export { openPackPlace, sharedStorageError, type OpenedPlace } from './service/open-pack-place.ts';
