import { join } from 'node:path';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { nodeFileSystem } from '@packhouse/storage/node';
import { databaseStorage } from '@packhouse/storage/postgres';
import { cachedBucket, DiskCache } from '@packhouse/storage/s3';
import type { SharedStorage } from '../config/shared-storage.ts';
import { cacheFolder } from '../data-folder/form.ts';
import { openPackPlace, sharedStorageError } from './open-pack-place.ts';
import type { OpenedStorage } from './open-storage.ts';

/**
 * Opens a database and packs that several servers share.
 *
 * @param folder The folder of this server's cache.
 * @param cacheMax Bytes of that cache.
 * @throws {StartError} kind `configuration` or `shared storage`.
 */
export async function openSharedStorage(
  folder: string,
  shared: SharedStorage,
  cacheMax: number,
): Promise<OpenedStorage> {
  let diskCache: DiskCache | undefined;
  const { place, close } = await openPackPlace(shared.packs, async (bucket) => {
    diskCache = await DiskCache.open({
      folder: join(folder, cacheFolder),
      fileSystem: nodeFileSystem,
      max: cacheMax,
    });
    return cachedBucket(bucket, diskCache);
  });
  const driver = openNodePostgres(shared.database);
  try {
    const storage = await databaseStorage({ driver, place });
    return {
      storage,
      createLimiter: storage.createLimiter,
      counts: () => storage.counts(Date.now()),
      diskCache,
      stop: () => undefined,
    };
  } catch (error) {
    await driver.close();
    close();
    throw sharedStorageError(error, shared.packs);
  }
}
