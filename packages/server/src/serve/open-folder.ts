import { listedTokens, type Dialect, type Hosting } from '@packhouse/hosting';
import type { LogRecord } from '@packhouse/base';
import { keptApiToken, type KeptApiToken } from '../data-folder/api-token.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { demandForm } from '../data-folder/form.ts';
import { ownToken } from '../config/accounts.ts';
import type { HostOptions } from './options.ts';
import { maintenanceLogEntry } from './request-log.ts';
import { configuredBindings, openBindings, type Bindings } from './open-bindings.ts';
import { openService, type OpenedService } from '../service/open-service.ts';

/** A data folder with its service, and what belongs to it. */
export interface OpenedFolder {
  readonly service: OpenedService;
  readonly hosting: Hosting;
  readonly keptToken: KeptApiToken | undefined;
  readonly env: Bindings;
}

export interface OpenedFolderOptions {
  readonly folder: DataFolder;
  readonly dialect: Dialect;
  /** At least one; the bindings are those of the first. */
  readonly accounts: readonly string[];
  /** Where the service is reached, if it is known only now. */
  readonly url: string | undefined;
  readonly log: (record: LogRecord) => void;
  readonly ready: () => boolean;
}

/**
 * Opens the service over a folder that this process holds, as the options say.
 *
 * @throws {StartError} kind `configuration` or `data folder`. The folder stays the caller's to release.
 */
export async function openFolder(
  options: HostOptions,
  { folder, dialect, accounts, url, log, ready }: OpenedFolderOptions,
): Promise<OpenedFolder> {
  const { config = { settings: {} } } = options;
  demandForm(folder.path, 'files');
  const entries = configuredBindings(config, dialect);
  const keptToken = options.apiToken === undefined ? keptApiToken(folder.path) : undefined;
  const publicUrl = options.publicUrl ?? config.settings.public_url ?? url;
  const service = await openService({
    folder: folder.path,
    dialect,
    settings: {
      ...config.settings,
      accounts: config.settings.accounts ?? accounts,
      ...(publicUrl !== undefined && { public_url: publicUrl }),
    },
    authorizer: listedTokens(
      [...ownToken(options.apiToken ?? keptToken?.token ?? '', accounts), ...(config.api_tokens ?? [])],
      dialect,
    ),
    outbound: options.outbound,
    onEvent: options.onEvent,
    accounts,
    log,
    maintained: (maintained) => options.log?.(maintenanceLogEntry(maintained, new Date())),
    ready,
    memoryMax: config.memory_max,
  });
  try {
    const { hosting } = service;
    return { service, hosting, keptToken, env: openBindings(hosting, accounts[0] as string, entries) };
  } catch (error) {
    await service.close();
    throw error;
  }
}
