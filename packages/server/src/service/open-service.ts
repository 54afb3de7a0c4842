import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import {
  createHosting,
  type Dialect,
  type Hosting,
  type OnEvent,
  type Outbound,
  type Settings,
} from '@packhouse/hosting';
import { SettingsError, systemClock, type Authorizer, failureRecord, type Log, migrate } from '@packhouse/base';
import { createService, gitFace } from '@packhouse/router';
import { catalogMigrations, combinedMigrations, sqlCatalog } from '@packhouse/storage';
import { sqlTagStores, tagMigrations } from '@packhouse/tagging/sql';
import { nodeStorage } from '@packhouse/storage/node';
import { settingsStartError } from '../config/config.ts';
import type { FetchHandler } from '../http/sockets.ts';
import { StartError } from '../start-error.ts';
import { startEventDelivery } from './event-delivery.ts';
import { defaultMemoryMax, enginePlan } from '../process/memory-limit.ts';
import { startMaintenance, type Maintained } from './maintenance.ts';
import { MissedTouches, repairLastPush } from './missed-touches.ts';
import { socketOutbound } from './socket-outbound.ts';
import { trimWhenIdle } from '../process/trim-when-idle.ts';
import { startUpkeep } from './upkeep.ts';

export interface OpenServiceOptions {
  /** A data folder that this process holds. */
  readonly folder: string;
  readonly dialect: Dialect;
  readonly settings: Partial<Settings>;
  readonly authorizer: Authorizer;
  /** How imports reach others. Default: over the sockets of this machine. */
  readonly outbound?: Outbound | undefined;
  /** Told of changes. Default: the sink of the settings. */
  readonly onEvent?: OnEvent | undefined;
  /** Accounts to sweep. */
  readonly accounts: readonly string[];
  readonly log: Log;
  /** Told of each repository that was maintained. */
  readonly maintained: (maintained: Maintained) => void;
  /** Bytes that this process may take (LIM-080). Default: a share of what there is. */
  readonly memoryMax?: number | undefined;
  /** Whether new requests are wanted, for `/readyz`. */
  readonly ready: () => boolean;
}

/** The whole service over a data folder. */
export interface OpenedService {
  readonly handler: FetchHandler;
  readonly hosting: Hosting;
  readonly requestIdHeader: string;
  /** Stops the upkeep, abandons maintenance and deliveries of events under way, waits for work that went on after replies, and closes the database. Idempotent. */
  close(): Promise<void>;
}

/**
 * Brings the adapters for Node, Deno and Bun and the service together, and finishes or undoes what stood half-way when the last
 * server of this folder died.
 *
 * @throws {StartError} kind `configuration` or `data folder`.
 */
export async function openService(options: OpenServiceOptions): Promise<OpenedService> {
  const storage = openStorage(options.folder);
  const report = (error: unknown): void => options.log(failureRecord(error, null));
  const background = new Set<Promise<void>>();
  try {
    const catalog = (account: string): ReturnType<typeof sqlCatalog> => sqlCatalog(storage.driver, account);
    const engine = createGitEngine({ codec: nodeCodec(), ...enginePlan(options.memoryMax ?? defaultMemoryMax()) });
    const hosting = createHosting({
      catalog,
      storage: storage.repoStorage,
      engine,
      tags: sqlTagStores(storage.driver),
      authorizer: options.authorizer,
      outbound: options.outbound ?? socketOutbound(),
      onEvent: options.onEvent,
      dialect: options.dialect,
      settings: options.settings,
      background(work) {
        background.add(work);
        void work.finally(() => background.delete(work));
      },
      report,
    });
    const missed = new MissedTouches();
    const handler = createService({
      hosting,
      git: gitFace({
        hosting,
        engine,
        report: (error, requestId) => options.log(failureRecord(error, requestId)),
        unheard: ({ head, repo }) => missed.add(head, repo.state),
      }),
      log: options.log,
      ready: () => options.ready() && isPresent(storage),
    });
    for (const account of options.accounts) await hosting.sweep(account, { grace: 0 });
    const upkeep = startUpkeep({ ...options, hosting, catalog, missed, storage: storage.repoStorage, report });
    const maintenance = startMaintenance({
      due: storage.due,
      storage: storage.repoStorage,
      engine,
      clock: systemClock,
      grace: hosting.settings.gc_grace * 1000,
      report,
      async done(maintained) {
        options.maintained(maintained);
        const { account, id } = maintained.repo;
        // It holds less now (LIM-012).
        await repairLastPush(hosting, { account, id }, storage.repoStorage.repo(account, id, 'unrestricted').state);
      },
    });
    const delivery = startEventDelivery({
      events: storage.events,
      deliver: hosting.hasListener ? (repo, signal) => hosting.deliverEvents(repo, signal) : undefined,
      clock: systemClock,
      report,
    });
    const trimming = trimWhenIdle({ engine });
    return {
      handler,
      hosting,
      requestIdHeader: options.dialect.requestIdHeader,
      async close(): Promise<void> {
        hosting.stop();
        trimming.stop();
        await Promise.all([upkeep.stop(), maintenance.stop(), delivery.stop()]);
        while (background.size > 0) await Promise.all(background);
        storage.close();
      },
    };
  } catch (error) {
    storage.close();
    if (!(error instanceof SettingsError)) throw error;
    throw settingsStartError(error, options.settings);
  }
}

function isPresent(storage: ReturnType<typeof nodeStorage>): boolean {
  try {
    storage.demandPresent();
    return true;
  } catch {
    return false;
  }
}

function openStorage(folder: string): ReturnType<typeof nodeStorage> {
  let storage: ReturnType<typeof nodeStorage> | undefined;
  try {
    storage = nodeStorage({ dataDir: folder });
    migrate(storage.driver, 'catalog', catalogMigrations);
    migrate(storage.driver, 'combined', combinedMigrations);
    migrate(storage.driver, 'tags', tagMigrations);
    return storage;
  } catch (error) {
    storage?.close();
    throw new StartError(
      'data folder',
      `The data in ${folder} cannot be opened: ${error instanceof Error ? error.message : 'unknown reason'}.`,
      'Check the owner and mode of its files and whether a newer release wrote them, or choose another folder with --data DIR.',
      { cause: error },
    );
  }
}
