import { freePages, type CacheUsage, type CreateRateLimiter } from '@packhouse/base';
import type { CountedStorage } from '@packhouse/hosting';
import { packCacheMaxDefault, type ServiceStorage } from '@packhouse/router';
import { nodeStorage } from '@packhouse/storage/node';
import type { SharedStorage } from '../config/shared-storage.ts';
import { returnFreePages } from '../process/return-free-pages.ts';
import { StartError } from '../start-error.ts';

/** The storage of a server, opened. */
export interface OpenedStorage {
  readonly storage: ServiceStorage;
  /** Counts requests together with other servers. Undefined: this process alone counts. */
  readonly createLimiter: CreateRateLimiter | undefined;
  /** Counts what the storage has now. */
  readonly counts: () => ReturnType<CountedStorage['counts']>;
  /** The cache on disk, if packs are in a bucket. */
  readonly diskCache?: CacheUsage | undefined;
  /** Ends the care for files, before the storage is closed. */
  readonly stop: () => void;
}

/**
 * Opens the shared storage, whose cache has `packCacheMax` bytes at most, or else the data folder at `folder`, which this process has locked.
 *
 * @throws {StartError} kind `data folder` or `shared storage`.
 */
export async function openStorage(
  folder: string,
  shared: SharedStorage | undefined,
  packCacheMax: number = packCacheMaxDefault,
): Promise<OpenedStorage> {
  if (shared !== undefined) {
    // Loaded on demand, since few servers need the client of PostgreSQL.
    const { openSharedStorage } = await import('./open-shared-storage.ts');
    return openSharedStorage(folder, shared, packCacheMax);
  }
  try {
    const storage = nodeStorage({ dataDir: folder });
    const returning = returnFreePages(freePages(storage.driver));
    return {
      storage,
      createLimiter: undefined,
      counts: () => storage.counts(Date.now()),
      stop: () => returning.stop(),
    };
  } catch (error) {
    throw new StartError(
      'data folder',
      `The data in ${folder} cannot be opened: ${error instanceof Error ? error.message : 'unknown reason'}.`,
      'Check the owner and mode of its files and whether a newer release wrote them, or choose another folder with --data DIR.',
      { cause: error },
    );
  }
}
