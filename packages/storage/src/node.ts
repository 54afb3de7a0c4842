export { folderPlace } from './files/folder-place.ts';
export { nodeStorage, type NodeStorage, type NodeStorageOptions } from './node-storage.ts';
export { linkFiles } from './files/link-file.ts';
export { nodeFileSystem } from './files/node-file-system.ts';
export { listFiles } from './files/list-files.ts';
