/** What a command needs of a server that it has not loaded. */
export { apiTokenFile, apiTokenForm } from './data-folder/api-token.ts';
export { ensureDataFolder } from './data-folder/data-folder.ts';
export { StartError, systemErrorCode } from './start-error.ts';
