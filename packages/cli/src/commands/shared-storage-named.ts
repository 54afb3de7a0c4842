import type { Invocation, Io } from '@packhouse/command';
import type { SharedStorage } from '@packhouse/server/shared-storage';
import { sharedStorageOf } from '../runtimes/shared-storage-of.ts';
import { readConfig } from './read-config.ts';

/**
 * Returns the database and place for packs that the command line, the environment or the configuration names; undefined
 * without any.
 *
 * @throws {StartError} kind `configuration`.
 */
export async function sharedStorageNamed(invocation: Invocation, io: Io): Promise<SharedStorage | undefined> {
  const config = await readConfig(invocation, io);
  const options = sharedStorageOf(invocation, io, config);
  if ((options.database ?? options.packs ?? config.database) === undefined) return undefined;
  // Loaded on demand, since few commands need the client of PostgreSQL.
  const { sharedStorage } = await import('@packhouse/server/shared-storage');
  return sharedStorage(options, config);
}
