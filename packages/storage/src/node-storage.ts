import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ApiTokenStores, Catalogs, CountedStorage, DueWork, RepoStorage } from '@packhouse/hosting';
import type { TagStores } from '@packhouse/tagging';
import { sqlTagStores, tagMigrations } from '@packhouse/tagging/sql';
import { catalogMigrations, combinedMigrations } from './sql/catalog/schema.ts';
import { BufferedTouches } from './sql/catalog/buffered-touches.ts';
import { sqlApiTokens } from './sql/catalog/api-tokens.ts';
import { sqlCatalog } from './sql/catalog/catalog.ts';
import { filePacks } from './files/file-packs.ts';
import type { FileSystem } from './files/file-system.ts';
import { nodeFileSystem } from './files/node-file-system.ts';
import { storageCounts } from './sql/repo-state/counts.ts';
import { dueRepos } from './sql/repo-state/due.ts';
import { dueQueues, forgetKeptEvents } from './sql/repo-state/event-queues.ts';
import { sqlNamespaceWebhooks } from './sql/webhooks/webhook-list.ts';
import { dueWebhookQueues } from './sql/webhooks/webhook-queue.ts';
import { repoStateMigrations } from './sql/repo-state/schema.ts';
import { sqlRepoState } from './sql/repo-state/repo-state.ts';
import { sharePacks } from './packs/share-packs.ts';
import { rememberPlaces, type SamePlaces } from './files/same-places.ts';
import { type SqlDriver, checkMigrated, migrate } from '@packhouse/base';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';

export interface NodeStorageOptions {
  /** The data folder; created with mode 0700 if missing. */
  readonly dataDir: string;
  /** The file system for packs. Default: the disk. */
  readonly fileSystem?: FileSystem;
  /** Opens the database at a path. Default: {@link openNodeSqlite}. */
  readonly openDatabase?: typeof openNodeSqlite;
  /**
   * Opens for reading only: creates nothing, and refuses a database whose catalog or repositories are not up to date.
   * Default false.
   */
  readonly asItIs?: boolean;
}

/** Storage for Node, Deno and Bun. */
export interface NodeStorage extends DueWork, CountedStorage {
  readonly catalog: Catalogs;
  readonly repos: RepoStorage;
  readonly tags: TagStores;
  readonly apiTokens: ApiTokenStores;
  /** The database of these four. */
  readonly driver: SqlDriver;
  /**
   * Checks that the data folder still exists, for health checks. Every commit checks it, too.
   *
   * @throws {StorageGoneError} if the data folder, `packs/` or the database was deleted, moved or replaced (REPO-178).
   */
  demandPresent(): void;
  /** Closes database and files, after which every call fails. Idempotent. */
  close(): void;
}

/**
 * Opens a data folder: `packhouse.sqlite` (catalog, refs, manifests, tokens, tags, API tokens) and `packs/` (a folder per account
 * and repository). Only one process may open it at a time; the server ensures that.
 *
 * @throws the system's error if the folder cannot be created or the database not opened; {@link MigrationError} if a
 * newer version created it, or with `asItIs` an older one.
 * @example
 * import { nodeStorage } from '@packhouse/storage/node';
 *
 * const storage = nodeStorage({ dataDir: './data' });
 * console.log(await storage.catalog('local').namespaces({ limit: 10 }));
 * storage.close();
 */
export function nodeStorage(options: NodeStorageOptions): NodeStorage {
  if (typeof options?.dataDir !== 'string') throw new TypeError("nodeStorage needs a folder: { dataDir: './data' }");
  const dataDir = resolve(options.dataDir);
  const packsDir = join(dataDir, 'packs');
  if (options.asItIs !== true) {
    mkdirSync(packsDir, { recursive: true, mode: 0o700 });
    for (const folder of [dataDir, dirname(dataDir)]) syncFolder(folder);
  }
  const databasePath = join(dataDir, 'packhouse.sqlite');
  let touches: BufferedTouches;
  let places: SamePlaces | undefined;
  const beforeCommit = (): void => places?.demand();
  const driver = (options.openDatabase ?? openNodeSqlite)(databasePath, { beforeCommit });
  try {
    const bring = options.asItIs === true ? checkMigrated : migrate;
    bring(driver, 'repo-state', repoStateMigrations);
    bring(driver, 'catalog', catalogMigrations);
    if (options.asItIs !== true) {
      migrate(driver, 'combined', combinedMigrations);
      migrate(driver, 'tags', tagMigrations);
    }
    touches = new BufferedTouches(driver);
    if (options.asItIs !== true) touches.recover();
  } catch (error) {
    driver.close();
    throw error;
  }
  if (options.asItIs !== true) places = rememberPlaces([dataDir, packsDir], [databasePath]);
  const packs = filePacks(packsDir, options.fileSystem ?? nodeFileSystem);
  let recorded: () => void = () => {};
  return {
    catalog: (account) => touches.wrap(account, sqlCatalog(driver, account)),
    tags: sqlTagStores(driver),
    apiTokens: sqlApiTokens(driver),
    // Everything is on one machine, so jurisdictions have no effect here.
    repos: {
      repo: (account, id) => ({
        id,
        state: sqlRepoState(driver, id, () => recorded()),
        packs: packs.repo(account, id),
      }),
      namespaceWebhooks: (account, namespace) => sqlNamespaceWebhooks(driver, account, namespace, () => recorded()),
      sharePacks: async (account, from, to, ids) =>
        sharePacks(packs, (id) => sqlRepoState(driver, id), account, [from, to], ids),
    },
    counts: async (now) => storageCounts(driver, now),
    due: async (now, limit) => dueRepos(driver, now, limit),
    dueWebhooks: async (now, limit) => dueWebhookQueues(driver, now, limit),
    events: {
      due: async (now, limit) => dueQueues(driver, now, limit),
      whenRecorded(listener) {
        recorded = listener;
      },
      forgetKept: async (now) => forgetKeptEvents(driver, now),
    },
    driver,
    demandPresent: beforeCommit,
    close() {
      touches.close();
      places?.close();
      packs.close();
      driver.close();
    },
  };
}

/** Syncs the names in a folder, as far as user and system allow. */
function syncFolder(path: string): void {
  try {
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Windows cannot open folders, and the parent folder may be unreadable. Neither should prevent the start.
  }
}
