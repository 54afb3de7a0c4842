import { DatabaseUnavailable, MigrationError, PostgresError, StorageUnavailable } from '@packhouse/base';
import { folderPlace, listFiles } from '@packhouse/storage/node';
import { WrongPlaceError, type PackPlace } from '@packhouse/storage/postgres';
import { bucketPlace, s3Bucket, S3Refusal, type S3Bucket } from '@packhouse/storage/s3';
import type { PacksPlace } from '../config/shared-storage.ts';
import { StartError, systemErrorCode } from '../start-error.ts';

/** The place for packs of a shared storage. */
export interface OpenedPlace {
  readonly place: PackPlace;
  /** Yields the names of all that is there, in pages. Only commands call it. */
  names(): AsyncIterable<readonly string[]>;
  /** Closes connections. Idempotent. */
  close(): void;
}

type CacheBucket = (bucket: S3Bucket) => Promise<NonNullable<Parameters<typeof bucketPlace>[1]>>;

/**
 * Opens the place for packs that the options name.
 *
 * @param cached Puts a cache in front of a bucket. Default: none.
 * @throws {StartError} kind `configuration`.
 */
export async function openPackPlace(packs: PacksPlace, cached: CacheBucket = async (one) => one): Promise<OpenedPlace> {
  if (packs.kind === 'folder') {
    const { path } = packs;
    return { place: folderPlace(path), names: () => listFiles(path), close: () => undefined };
  }
  const { bucket: name, prefix, access } = packs;
  const { accessKeyId, secretAccessKey, sessionToken, region = 'us-east-1', endpoint, addressing } = access;
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  try {
    const bucket = s3Bucket({
      bucket: name,
      prefix,
      region,
      credentials: () => credentials,
      ...(endpoint !== undefined && { endpoint }),
      ...(addressing !== undefined && { addressing }),
    });
    return {
      place: bucketPlace(bucket, await cached(bucket)),
      names: () => bucket.keys(),
      close: () => bucket.close(),
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StartError('configuration', `${error.message}.`, accessHint, { cause: error });
  }
}

const accessHint =
  'Check --packs, and the keys, region, URL and addressing style of the store in the variables of AWS.';

/** Explains why a shared storage cannot be used. Messages of these classes hold no address and no password. */
export function sharedStorageError(error: unknown, place: PacksPlace): StartError {
  const because = (message: string, hint: string): StartError =>
    new StartError('shared storage', message, hint, { cause: error });
  if (error instanceof StartError) return error;
  if (error instanceof DatabaseUnavailable) {
    return because(`${error.message}.`, outageHint(error.code));
  }
  if (error instanceof MigrationError && (error.made === 'never' || error.made === 'older')) {
    return because(
      `${error.message}.`,
      error.made === 'never'
        ? 'Check which database --database or DATABASE_URL names: a server or "packhouse migrate" fills it first.'
        : 'Start a server of this release first: it brings the database up to date.',
    );
  }
  if (error instanceof MigrationError || error instanceof PostgresError) {
    return because(
      `${error.message}.`,
      'Use PostgreSQL 15 or later, a user that may create a schema, and a release no older than that of the other servers.',
    );
  }
  if (error instanceof WrongPlaceError) {
    return because(
      `${error.message}.`,
      error.isTaken
        ? 'Name another prefix or folder with --packs. The file database-ID marks a place, even if that database is gone.'
        : 'Name the same --packs as for the other servers; a folder must be mounted.',
    );
  }
  return place.kind === 'folder'
    ? because(
        `The folder of packs ${place.path} cannot be used (${systemErrorCode(error) ?? 'unknown reason'}).`,
        'Check that it is mounted, and that this user may write there.',
      )
    : because(`The bucket ${place.bucket} cannot be used (${bucketReason(error)}).`, accessHint);
}

/** @param code SQLSTATE, or code of the operating system. */
function outageHint(code: string): string {
  if (code.startsWith('28')) return 'PostgreSQL refuses the user or the password. Check both, and pg_hba.conf.';
  if (code.startsWith('3D')) return 'PostgreSQL has no database of this name. Create it, or correct the name.';
  return 'Check that PostgreSQL runs, and the host, port and certificates of the database.';
}

function bucketReason(error: unknown): string {
  if (error instanceof S3Refusal) return `${error.status} ${error.code}`.trim();
  if (!(error instanceof StorageUnavailable)) return 'unknown reason';
  const [, code] = / \(([A-Z]+)\)$/.exec(error.message) ?? [];
  return code === undefined ? 'it does not answer' : `it does not answer: ${code}`;
}
