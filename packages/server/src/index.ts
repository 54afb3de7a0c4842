export type { ApiTokenEntry, ServerConfig } from '@packhouse/hosting';
export { parseConfig } from './config/config.ts';
export { configSchema, type JsonSchema } from './config/schema.ts';
export { apiTokenFile, apiTokenForm, keptApiToken, type KeptApiToken } from './data-folder/api-token.ts';
export { openDataFolder, type DataFolder } from './data-folder/data-folder.ts';
export type { ServeOptions, Serving } from './serve/options.ts';
export type { DataFolderLock } from './data-folder/lock.ts';
export { StartError, systemErrorCode, type StartErrorKind } from './start-error.ts';
