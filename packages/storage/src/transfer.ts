export { copyPacks, packOfName, storedPacksOfPostgres, storedPacksOfSqlite } from './transfer/copy-packs.ts';
export type { CopiedPacks, StoredPack } from './transfer/copy-packs.ts';
export {
  copyRowsToPostgres,
  copyRowsToSqlite,
  isEmptyDatabase,
  OccupiedError,
  type RowCounts,
} from './transfer/copy-rows.ts';
export { DifferenceError } from './transfer/compare-tables.ts';
