export { nodeStorage, type NodeStorage, type NodeStorageOptions } from './node-storage.ts';
export { nodeFileSystem } from './files/node-file-system.ts';
