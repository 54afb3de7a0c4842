import { MigrationError, PostgresError, StorageUnavailable, type PostgresDriver } from '@packhouse/base';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { CliError } from '@packhouse/command';
import { StorageError } from '@packhouse/git';
import { StartError } from '@packhouse/server/before-start';
import {
  openPackPlace,
  sharedStorageError,
  type OpenedPlace,
  type SharedStorage,
} from '@packhouse/server/shared-storage';
import { WrongPlaceError } from '@packhouse/storage/postgres';
import { S3Refusal } from '@packhouse/storage/s3';
import { DifferenceError, OccupiedError } from '@packhouse/storage/transfer';
import { withoutSecrets } from './without-secrets.ts';

/** A database and packs that several servers share, opened for a command. */
export interface OpenedShared {
  readonly postgres: PostgresDriver;
  readonly packs: OpenedPlace;
  /** Names both, without user and password. */
  readonly name: string;
}

/**
 * Opens a database and packs for `work`, without a cache. Its statements have no time limit.
 *
 * @throws {StartError} kind `configuration` or `shared storage`, {@link CliError} kind `usage` if there is other data,
 *   `unsound` for damaged data.
 */
export async function withSharedStorage<T>(
  shared: SharedStorage,
  work: (opened: OpenedShared) => Promise<T>,
): Promise<T> {
  const packs = await openPackPlace(shared.packs);
  const postgres = openNodePostgres(shared.database, { statementTimeout: 0 });
  try {
    return await work({ postgres, packs, name: nameOf(shared) });
  } catch (error) {
    throw explained(error, shared);
  } finally {
    await postgres.close();
    packs.close();
  }
}

function nameOf({ database, packs }: SharedStorage): string {
  const place = packs.kind === 'folder' ? packs.path : `s3://${packs.bucket}/${packs.prefix}`;
  return `${withoutSecrets(database)} and ${place}`;
}

/** Converts errors of the storage to those of the command line. Returns other errors unchanged. */
function explained(error: unknown, shared: SharedStorage): unknown {
  if (error instanceof StartError || error instanceof CliError) return error;
  if (error instanceof OccupiedError) {
    const hint =
      'Name a database and a place for packs that are new. DROP SCHEMA packhouse CASCADE empties a database; the file database-ID marks a place, even if that database is gone.';
    return new CliError('usage', `${error.message}.`, hint, { cause: error });
  }
  const isStorage = [StorageUnavailable, PostgresError, MigrationError, WrongPlaceError, S3Refusal].some(
    (kind) => error instanceof kind,
  );
  if (isStorage) return sharedStorageError(error, shared.packs);
  if (error instanceof StorageError && error.cause instanceof StorageUnavailable)
    return sharedStorageError(error.cause, shared.packs);
  if (error instanceof DifferenceError || error instanceof StorageError) {
    const hint = 'Examine both sides with "packhouse doctor". The same command goes on where it stopped.';
    return new CliError('unsound', `${error.message}.`, hint, { cause: error });
  }
  return error;
}
