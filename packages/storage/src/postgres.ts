export { checkDatabase, databaseStorage, prepareDatabase } from './postgres/database-storage.ts';
export type { DatabaseStorage, DatabaseStorageOptions } from './postgres/database-storage.ts';
export { identityOf, WrongPlaceError } from './postgres/servers/claim-place.ts';
export { isOtherMark } from './packs/pack-place.ts';
export type { PackNotes, PackPlace } from './packs/pack-place.ts';
