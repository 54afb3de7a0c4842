export { nodeStorage, type NodeStorage, type NodeStorageOptions } from './node-storage.ts';
export type { DueRepo } from './repo-state/due.ts';
export { nodeFileSystem } from './packs/node-file-system.ts';
