export { checkDatabase, databaseStorage, prepareDatabase } from './postgres/database-storage.ts';
export type { DatabaseStorage, DatabaseStorageOptions } from './postgres/database-storage.ts';
export { WrongPlaceError } from './postgres/servers/claim-place.ts';
export type { PackNotes, PackPlace } from './packs/pack-place.ts';
