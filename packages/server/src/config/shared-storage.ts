import { isAbsolute, resolve } from 'node:path';
import type { ServerConfig } from '@packhouse/router';
import { StartError } from '../start-error.ts';

/** Storage that several servers share, in place of a data folder. */
export interface SharedStorage {
  /** The `postgres://` URL. It may hold a password, so no message quotes it. */
  readonly database: string;
  readonly packs: PacksPlace;
}

/** The place of packs: a folder that all servers mount, or a bucket. */
export type PacksPlace =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'bucket'; readonly bucket: string; readonly prefix: string; readonly access: BucketAccess };

/** How to reach an S3-compatible store. */
export interface BucketAccess {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For credentials that expire. */
  readonly sessionToken?: string | undefined;
  /** Default `us-east-1`. */
  readonly region?: string | undefined;
  /** URL of the store. Default: AWS in the region. */
  readonly endpoint?: string | undefined;
  /** Place of the bucket in addresses: `auto` (default), `path` or `virtual`, the bucket in the host. */
  readonly addressing?: 'auto' | 'path' | 'virtual' | undefined;
}

/** The options that choose a shared storage. */
export interface SharedStorageOptions {
  /** `postgres://` URL of the database that keeps everything but packs (REPO-336). Requires `packs`. */
  readonly database?: string;
  /** `s3://BUCKET/PREFIX`, or the absolute path of a folder that all servers mount. Requires `database`. */
  readonly packs?: string;
  /** How to reach the bucket of `packs`. */
  readonly bucketAccess?: BucketAccess;
}

/** A bucket as S3 names it, and a prefix of keys with or without a slash at its end. */
const bucketUrl = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[A-Za-z0-9_./-]{0,200}))?$/;

/** A URL, such as `gs://packs`, is no folder. */
const packsUrl = /^\w{2,}:/;

/**
 * Returns the shared storage that the options name, or else the configuration. Undefined: the data folder keeps
 * everything.
 *
 * @throws {StartError} kind `configuration`.
 */
export function sharedStorage(options: SharedStorageOptions, config: ServerConfig): SharedStorage | undefined {
  const { database = config.database, packs = config.packs, bucketAccess } = options;
  if (database === undefined && packs === undefined) return undefined;
  if (database === undefined) {
    throw wrong(
      'There is a place for packs, but no database.',
      'Name one with --database postgres://HOST/NAME, or in DATABASE_URL.',
    );
  }
  if (packs === undefined) {
    throw wrong(
      'There is a database, but no place for packs.',
      'Name one with --packs s3://BUCKET/PREFIX, or --packs /DIR for a folder that all servers mount.',
    );
  }
  if (!isDatabaseUrl(database)) {
    throw wrong(
      'The address of the database is no URL of PostgreSQL.',
      'Write postgres://USER:PASSWORD@HOST/NAME, with % escapes for special characters of the password.',
    );
  }
  return { database, packs: packsPlace(packs, bucketAccess) };
}

function isDatabaseUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(?:ql)?:$/.test(new URL(text).protocol);
}

function packsPlace(text: string, access: BucketAccess | undefined): PacksPlace {
  if (!packsUrl.test(text)) {
    // A bucket without `s3://` would otherwise be a new folder of one machine, below where the server happens to start.
    if (isAbsolute(text)) return { kind: 'folder', path: resolve(text) };
    throw wrong(
      'The place of packs is neither a bucket nor an absolute path.',
      'Write s3://BUCKET/PREFIX for a bucket, or the whole path of a folder that all servers mount.',
    );
  }
  const { bucket, prefix = '' } = bucketUrl.exec(text)?.groups ?? {};
  if (bucket === undefined) {
    throw wrong(
      'The place of packs is no bucket.',
      'Write s3://BUCKET or s3://BUCKET/PREFIX; the store, its region and keys come from the variables of AWS.',
    );
  }
  if (access === undefined) {
    throw wrong(
      `There are no credentials for the bucket ${bucket}.`,
      'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_ENDPOINT_URL unless the bucket is at AWS.',
    );
  }
  if (access.endpoint !== undefined && !/^https?:\/\//.test(access.endpoint)) {
    throw wrong('AWS_ENDPOINT_URL is no URL.', 'Write one such as https://s3.example.com.');
  }
  return { kind: 'bucket', bucket, prefix: prefix.replace(/\/+$/, ''), access };
}

function wrong(message: string, hint: string): StartError {
  return new StartError('configuration', message, hint);
}
