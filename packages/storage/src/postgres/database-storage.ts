import {
  checkPostgresMigrated,
  migratePostgres,
  StorageUnavailable,
  type CreateRateLimiter,
  type PostgresDriver,
} from '@packhouse/base';
import {
  leftoverAge,
  type ApiTokenStores,
  type Catalogs,
  type CountedStorage,
  type DueWork,
  type RepoStorage,
  type WorkLeases,
  type WorkStorage,
} from '@packhouse/hosting';
import type { TagStores } from '@packhouse/tagging';
import { postgresTagMigrations, postgresTagStores } from '@packhouse/tagging/postgres';
import type { PackPlace } from '../packs/pack-place.ts';
import type { PackStores } from '../packs/pack-stores.ts';
import { sharePacks } from '../packs/share-packs.ts';
import type { MaintainedRepoState } from '../repo-state/maintained.ts';
import { postgresApiTokens } from './catalog/api-tokens.ts';
import { postgresCatalog } from './catalog/catalog.ts';
import { postgresPackHolders } from './catalog/pack-holders.ts';
import { postgresCatalogMigrations } from './catalog/schema.ts';
import { postgresStorageCounts } from './repo-state/counts.ts';
import { postgresDueWork } from './repo-state/due-work.ts';
import { postgresPreparedRecords } from './repo-state/prepared-records.ts';
import { postgresRepoState } from './repo-state/repo-state.ts';
import { postgresPackReservations } from './repo-state/reservations.ts';
import { postgresRepoStateMigrations } from './repo-state/schema.ts';
import { postgresNamespaceWebhooks } from './webhooks/webhook-list.ts';
import { claimPlace, WrongPlaceError } from './servers/claim-place.ts';
import { postgresRates } from './servers/rates.ts';
import { serverMigrations } from './servers/schema.ts';
import { postgresWorkLeases } from './servers/work-leases.ts';

export interface DatabaseStorageOptions {
  readonly driver: PostgresDriver;
  /** The place of the bytes of packs. */
  readonly place: PackPlace;
}

/** Storage that any number of servers share: a database, and a place for packs. */
export interface DatabaseStorage extends DueWork, CountedStorage {
  readonly catalog: Catalogs;
  readonly repos: RepoStorage;
  readonly tags: TagStores;
  readonly apiTokens: ApiTokenStores;
  readonly leases: WorkLeases;
  /** Counts the requests of all servers together (REPO-332). */
  readonly createLimiter: CreateRateLimiter;
  /**
   * Checks that database and packs can be reached, for health checks.
   *
   * @throws {StorageUnavailable}
   */
  demandPresent(): Promise<void>;
  /** Closes the driver and the packs. */
  close(): Promise<void>;
}

/**
 * Opens storage in PostgreSQL, and brings its tables up to date. Several servers may do that at once.
 *
 * @throws {MigrationError} if a newer version made the tables.
 * @throws {WrongPlaceError} if the packs of the database are in another place.
 * @throws {DatabaseUnavailable}
 * @example
 * import { openNodePostgres } from '@packhouse/base/node-postgres';
 * import { databaseStorage } from '@packhouse/storage/postgres';
 * import { folderPlace } from '@packhouse/storage/node';
 *
 * const driver = openNodePostgres('postgres://packhouse@127.0.0.1/packhouse');
 * const storage = await databaseStorage({ driver, place: folderPlace('/mnt/packs') });
 */
export async function databaseStorage({ driver, place }: DatabaseStorageOptions): Promise<DatabaseStorage> {
  const identity = await prepareDatabase({ driver, place });
  // A lease needs no other ones: packs have random ids, which are never used again.
  const packs = place.open({
    reservations: (_, id) => postgresPackReservations(driver, id),
    holders: (account) => postgresPackHolders(driver, account),
  });
  const { due, dueWebhooks, events, recorded } = postgresDueWork(driver);
  const open = (opened: PostgresDriver): WorkStorage => openWorkStorage(opened, packs, recorded);
  return {
    ...open(driver),
    tags: postgresTagStores(driver),
    apiTokens: postgresApiTokens(driver),
    due,
    dueWebhooks,
    events,
    leases: postgresWorkLeases(driver, open),
    createLimiter: postgresRates(driver),
    counts: (now) => postgresStorageCounts(driver, now),
    async demandPresent() {
      const [isMarked] = await Promise.all([place.isMarked(identity), driver.rows('SELECT 1')]);
      if (!isMarked) throw new StorageUnavailable('The place for packs is not there');
    },
    async close() {
      await driver.close();
      packs.close();
    },
  };
}

const migrationLists = {
  'repo-state': postgresRepoStateMigrations,
  catalog: postgresCatalogMigrations,
  tags: postgresTagMigrations,
  servers: serverMigrations,
};

/**
 * Brings the tables up to date, and marks the place. Returns the id of the database.
 *
 * @throws like {@link databaseStorage}.
 */
export async function prepareDatabase({ driver, place }: DatabaseStorageOptions): Promise<string> {
  for (const [list, migrations] of Object.entries(migrationLists)) await migratePostgres(driver, list, migrations);
  return claimPlace(driver, place);
}

/**
 * Checks that the tables are up to date and the place is that of the database. Changes nothing.
 *
 * @throws like {@link databaseStorage}, also {@link MigrationError} if the tables are older.
 */
export async function checkDatabase({ driver, place }: DatabaseStorageOptions): Promise<void> {
  for (const [list, migrations] of Object.entries(migrationLists))
    await checkPostgresMigrated(driver, list, migrations);
  const [known] = await driver.rows<{ id: string }>('SELECT id FROM packhouse.identity');
  if (known === undefined || !(await place.isMarked(known.id))) throw new WrongPlaceError();
}

/** Opens catalog and repositories over a driver, which is that of a lease if work beside requests changes them. */
function openWorkStorage(driver: PostgresDriver, packs: PackStores, recorded: () => void): WorkStorage {
  const stateOf = (id: string): MaintainedRepoState => postgresRepoState(driver, id, recorded);
  return {
    catalog: (account) => postgresCatalog(driver, account),
    repos: {
      repo(account, id) {
        // The hourly walk over all repositories removes what is due.
        const prepared = postgresPreparedRecords(driver, id, { leftoverAge, due: () => {} });
        return { id, state: stateOf(id), packs: packs.repo(account, id), prepared };
      },
      namespaceWebhooks: (account, namespace) => postgresNamespaceWebhooks(driver, account, namespace, recorded),
      sharePacks: (account, from, to, ids) => sharePacks(packs, stateOf, account, [from, to], ids),
    },
  };
}
