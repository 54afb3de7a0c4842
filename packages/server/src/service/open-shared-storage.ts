import { join } from 'node:path';
import { DatabaseUnavailable, MigrationError, PostgresError } from '@packhouse/base';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { folderPlace, nodeFileSystem } from '@packhouse/storage/node';
import { databaseStorage, WrongPlaceError, type PackPlace } from '@packhouse/storage/postgres';
import { bucketPlace, cachedBucket, DiskCache, s3Bucket } from '@packhouse/storage/s3';
import type { PacksPlace, SharedStorage } from '../config/shared-storage.ts';
import { cacheFolder } from '../data-folder/form.ts';
import { StartError, systemErrorCode } from '../start-error.ts';
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
  const { place, close } =
    shared.packs.kind === 'folder'
      ? { place: folderPlace(shared.packs.path), close: () => undefined }
      : await openBucket(folder, shared.packs, cacheMax);
  const driver = openNodePostgres(shared.database);
  try {
    const storage = await databaseStorage({ driver, place });
    return {
      storage,
      createLimiter: storage.createLimiter,
      counts: () => storage.counts(Date.now()),
      stop: () => undefined,
    };
  } catch (error) {
    await driver.close();
    close();
    throw startError(error, shared.packs);
  }
}

async function openBucket(
  folder: string,
  { bucket: name, prefix, access }: Extract<PacksPlace, { kind: 'bucket' }>,
  cacheMax: number,
): Promise<{ readonly place: PackPlace; readonly close: () => void }> {
  const { accessKeyId, secretAccessKey, sessionToken, region = 'us-east-1', endpoint } = access;
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  try {
    const bucket = s3Bucket({
      bucket: name,
      prefix,
      region,
      credentials: () => credentials,
      ...(endpoint !== undefined && { endpoint }),
    });
    const cache = await DiskCache.open({
      folder: join(folder, cacheFolder),
      fileSystem: nodeFileSystem,
      max: cacheMax,
    });
    const close = (): void => bucket.close();
    return { place: bucketPlace(cachedBucket(bucket, cache), close), close };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StartError('configuration', `${error.message}.`, accessHint, { cause: error });
  }
}

const accessHint = 'Check --packs, and the keys, region and URL of the store in the variables of AWS.';

/** Messages of these classes hold no address and no password. */
function startError(error: unknown, place: PacksPlace): StartError {
  const because = (message: string, hint: string): StartError =>
    new StartError('shared storage', message, hint, { cause: error });
  if (error instanceof DatabaseUnavailable) {
    return because(
      `${error.message}.`,
      'Check that PostgreSQL runs, and the host, user, password and name of the database.',
    );
  }
  if (error instanceof MigrationError || error instanceof PostgresError) {
    return because(
      `${error.message}.`,
      'Use PostgreSQL 15 or later, a user that may create a schema, and a release no older than that of the other servers.',
    );
  }
  if (error instanceof WrongPlaceError) {
    return because(`${error.message}.`, 'Name the same --packs as for the other servers; a folder must be mounted.');
  }
  return place.kind === 'folder'
    ? because(
        `The folder of packs ${place.path} cannot be used (${systemErrorCode(error) ?? 'unknown reason'}).`,
        'Check that it is mounted, and that this user may write there.',
      )
    : because(`The bucket ${place.bucket} cannot be used.`, accessHint);
}
