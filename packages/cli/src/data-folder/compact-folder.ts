import { statSync } from 'node:fs';
import { join } from 'node:path';
import { rewriteNodeSqlite } from '@packhouse/base/node-sqlite';
import { openDataFolder } from '@packhouse/server';
import { CliError } from '@packhouse/command';
import type { Change } from './maintain-repo.ts';
import { demandData } from './with-data-folder.ts';

/**
 * Rewrites the database of the data folder at `path` without free pages. Returns its bytes before and after.
 *
 * @throws {StartError} if a server holds the folder, {@link CliError} kind `unsound` if it cannot be rewritten.
 */
export function compactFolder(path: string): Change {
  demandData(path);
  const folder = openDataFolder(path, { create: false });
  const database = join(path, 'packhouse.sqlite');
  try {
    const before = statSync(database).size;
    rewriteNodeSqlite(database);
    return { before, after: statSync(database).size };
  } catch (error) {
    throw new CliError(
      'unsound',
      `The database in ${path} was not rewritten: ${error instanceof Error ? error.message : 'unknown reason'}.`,
      'Nothing was lost. It needs free space for two copies: one in the folder, one for temporary files (SQLITE_TMPDIR).',
      { cause: error },
    );
  } finally {
    folder.release();
  }
}
