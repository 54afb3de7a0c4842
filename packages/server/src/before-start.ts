/** Parts of a server that a command needs before it loads one. */
export { apiTokenFile, apiTokenForm } from './data-folder/api-token.ts';
export { ensureDataFolder } from './data-folder/data-folder.ts';
export { StartError } from './start-error.ts';
