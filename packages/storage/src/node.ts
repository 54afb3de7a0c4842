export { nodeStorage, type NodeStorage, type NodeStorageOptions } from './node-storage.ts';
export { nodeFileSystem } from './packs/node-file-system.ts';
