import { resolve } from 'node:path';
import { cloudflare, neutral, type Dialect, type Hosting } from '@packhouse/hosting';
import { listedTokens, type ServerConfig } from '@packhouse/router';
import type { RequestRecord } from '@packhouse/base';
import { ownToken, servedAccounts } from '../config/accounts.ts';
import { keptApiToken, type KeptApiToken } from '../data-folder/api-token.ts';
import { sharedStorage, type SharedStorage } from '../config/shared-storage.ts';
import { StartError } from '../start-error.ts';
import { openDataFolder, type DataFolder } from '../data-folder/data-folder.ts';
import { demandForm } from '../data-folder/form.ts';
import type { ServerMetrics } from '../metrics/server-metrics.ts';
import { openService, type OpenedService } from '../service/open-service.ts';
import { configuredBindings, openBindings, type Bindings } from './open-bindings.ts';
import type { HostOptions } from './options.ts';
import { maintenanceLogEntry } from './request-log.ts';

/** A data folder that this process has locked, before its service is opened. */
export interface HeldFolder extends DataFolder {
  readonly dialect: Dialect;
  /** At least one. The bindings belong to the first. */
  readonly accounts: readonly [string, ...string[]];
  /** The database and packs in place of the folder's own. */
  readonly shared: SharedStorage | undefined;
}

/**
 * Opens and locks the folder that the options name.
 *
 * @throws {StartError} kind `configuration`, `data folder` or `data folder in use`.
 */
export function holdFolder(options: HostOptions): HeldFolder {
  const { config = { settings: {} } } = options;
  const dialect = options.dialect ?? (config.dialect === 'cloudflare' ? cloudflare : neutral);
  const accounts = servedAccounts(options, config) as HeldFolder['accounts'];
  const shared = sharedStorage(options, config);
  if (shared !== undefined) demandToken(options, config);
  return { dialect, accounts, shared, ...openDataFolder(resolve(options.data)) };
}

/** An open data folder: its service, token and bindings. */
export interface OpenedFolder {
  readonly service: OpenedService;
  readonly hosting: Hosting;
  readonly keptToken: KeptApiToken | undefined;
  readonly env: Bindings;
}

export interface OpenFolderOptions {
  /** URL of the listening sockets. Used if neither the options nor the configuration name a public URL. */
  readonly url?: string;
  readonly ready: () => boolean;
  /** Takes the router's record of each request. Default: records are dropped. */
  readonly requested?: (record: RequestRecord) => void;
  /** Counts maintenance and failures, and answers `/metrics`. Default: nothing does. */
  readonly metrics?: ServerMetrics | undefined;
}

/**
 * Opens the service over a folder.
 *
 * @throws {StartError} kind `configuration`, `data folder` or `shared storage`. The caller must still release the folder.
 */
export async function openFolder(
  options: HostOptions,
  { path, dialect, accounts, shared }: HeldFolder,
  { url, ready, requested, metrics }: OpenFolderOptions,
): Promise<OpenedFolder> {
  const { config = { settings: {} } } = options;
  demandForm(path, shared === undefined ? 'files' : 'shared');
  const entries = configuredBindings(config, dialect);
  const keptToken = options.apiToken === undefined && shared === undefined ? keptApiToken(path) : undefined;
  const token = options.apiToken ?? keptToken?.token;
  const publicUrl = options.publicUrl ?? config.settings.public_url ?? url;
  const service = await openService({
    folder: path,
    shared,
    dialect,
    settings: {
      ...config.settings,
      accounts: config.settings.accounts ?? accounts,
      ...(publicUrl !== undefined && { public_url: publicUrl }),
    },
    authorizer: listedTokens(
      [...(token === undefined ? [] : ownToken(token, accounts)), ...(config.api_tokens ?? [])],
      dialect,
    ),
    outbound: options.outbound,
    onEvent: options.onEvent,
    accounts,
    log(record) {
      if (record.event === 'request') return requested?.(record);
      metrics?.failed();
      options.log?.({ time: new Date().toISOString(), level: 'error', ...record });
    },
    maintained(maintained) {
      metrics?.maintained(maintained);
      options.log?.(maintenanceLogEntry(maintained, new Date()));
    },
    metrics,
    ready,
    memoryMax: config.memory_max,
    cacheMax: config.cache_max,
    packCacheMax: config.pack_cache_max,
    preparedMax: config.prepared_max,
  });
  const { request_memory_max: wanted = 0 } = config.settings;
  if (wanted > service.requestMemory) {
    const warning = `request_memory_max is ${wanted}, but memory_max leaves ${service.requestMemory} bytes for one request: raise memory_max`;
    options.log?.({ time: new Date().toISOString(), level: 'warn', event: 'open', warning });
  }
  try {
    const { hosting } = service;
    return { service, hosting, keptToken, env: openBindings(hosting, accounts[0], entries) };
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** A token that one server makes would be unknown to the others. */
function demandToken({ apiToken }: HostOptions, { api_tokens = [] }: ServerConfig): void {
  if (apiToken !== undefined || api_tokens.length > 0) return;
  throw new StartError(
    'configuration',
    'Servers that share a database need the same API token, and there is none.',
    'Set PACKHOUSE_API_TOKEN, or list tokens as api_tokens in the configuration file.',
  );
}
