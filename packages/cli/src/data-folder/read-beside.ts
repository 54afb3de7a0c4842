import { statSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '@packhouse/server';
import { checkMigrated } from '@packhouse/base';
import { repoStateMigrations } from '@packhouse/storage';
import { openNodeSqlite, type NodeSqlite } from '@packhouse/base/node-sqlite';
import { demandData, readFailure } from './with-data-folder.ts';

/**
 * Reads the database of the data folder at `path` and changes nothing. Works while a server holds the folder.
 *
 * @throws {StartError} if it is not a data folder, or its database has another version, {@link CliError} kind `unsound`
 *   if the database cannot be read.
 */
export async function readBeside<T>(path: string, work: (database: NodeSqlite) => Promise<T>): Promise<T> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    throw new StartError(
      'data folder',
      `The data folder ${path} does not exist.`,
      'Name an existing one with --data DIR.',
    );
  }
  demandData(path);
  let database: NodeSqlite | undefined;
  try {
    database = openNodeSqlite(join(path, 'packhouse.sqlite'), { readOnly: true });
    checkMigrated(database, 'repo-state', repoStateMigrations);
    return await work(database);
  } catch (error) {
    throw readFailure(path, error);
  } finally {
    database?.close();
  }
}
