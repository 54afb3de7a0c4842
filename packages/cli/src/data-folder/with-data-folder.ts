import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { demandForm, openDataFolder, StartError } from '@packhouse/server';
import { MigrationError } from '@packhouse/base';
import { nodeStorage, type NodeStorage } from '@packhouse/storage/node';
import { CliError } from '@packhouse/command';

/**
 * Holds the data folder at `path` while `work` runs on its storage. A folder of another kind stays untouched.
 *
 * @throws {StartError} if a server holds it, it is not a data folder, or its database has another version, {@link
 *   CliError} kind `unsound` if its database cannot be read.
 */
export async function withDataFolder<T>(path: string, work: (storage: NodeStorage) => Promise<T>): Promise<T> {
  // Checked first, since locking leaves files in the folder.
  demandData(path);
  const folder = openDataFolder(path, { create: false });
  try {
    const storage = nodeStorage({ dataDir: path, asItIs: true });
    try {
      return await work(storage);
    } finally {
      storage.close();
    }
  } catch (error) {
    throw readFailure(path, error);
  } finally {
    folder.release();
  }
}

/**
 * Demands that an existing folder has the data of a server.
 *
 * @throws {StartError}
 */
export function demandData(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  demandForm(path, 'files');
  if (!existsSync(join(path, 'packhouse.sqlite'))) {
    throw new StartError(
      'data folder',
      `The folder ${path} holds no data of a server.`,
      'Name the one that "serve" was given with --data DIR.',
    );
  }
}

/** Returns the error for a database that could not be read. */
export function readFailure(path: string, error: unknown): StartError | CliError {
  if (error instanceof StartError || error instanceof CliError) return error;
  if (error instanceof MigrationError) return otherVersion(path, error);
  return new CliError(
    'unsound',
    `The database in ${path} cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}.`,
    'Restore the folder from a backup, or ask for help with this sentence.',
    { cause: error },
  );
}

function otherVersion(path: string, error: MigrationError): StartError {
  return error.made === 'older'
    ? new StartError(
        'data folder',
        `The data in ${path} is of an older version, which this one does not read.`,
        'Start and stop a server of this version on it once, which brings it up to date, or use the version that wrote it.',
        { cause: error },
      )
    : new StartError(
        'data folder',
        `The data in ${path} is of ${error.made === 'newer' ? 'a newer' : 'another'} version, which this one cannot read.`,
        'Use the version that wrote it.',
        { cause: error },
      );
}
