export { nodeStorage, type NodeStorage, type NodeStorageOptions } from './node-storage.ts';
export type { DueRepo } from './repo-state/due.ts';
export { nodeFileSystem } from './packs/node-file-system.ts';
export { openNodeSqlite, type NodeSqlite, type NodeSqliteOptions } from './sql/node-sqlite.ts';
