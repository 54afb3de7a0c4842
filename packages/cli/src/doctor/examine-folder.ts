import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createGitEngine, verifyRepository } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { openDataFolder, StartError } from '@packhouse/server';
import { catalogMigrations, migrate } from '@packhouse/storage';
import { nodeStorage } from '@packhouse/storage/node';
import { CliError } from '../cli-error.ts';
import { examine, type RepoCheck, type Report } from './examine.ts';

/**
 * Takes the data folder at `path`, examines all that it holds, and gives it up.
 *
 * @throws {StartError} if a server holds it or it is none, {@link CliError} kind `unsound` if its database is beyond reading.
 */
export async function examineFolder(path: string): Promise<Report> {
  const folder = openDataFolder(path, { create: false });
  try {
    if (!existsSync(join(path, 'packhouse.sqlite'))) {
      throw new StartError(
        'data folder',
        `The folder ${path} holds no data of a server.`,
        'Name the one that "serve" was given with --data DIR.',
      );
    }
    const storage = nodeStorage({ dataDir: path });
    try {
      migrate(storage.driver, 'catalog', catalogMigrations);
      const engine = createGitEngine({ codec: nodeCodec() });
      const verify: RepoCheck = async (repo, snapshot) =>
        (await verifyRepository(engine, repo, snapshot)).map(({ about, where, what }) => ({
          where: `${about} ${where}`,
          what,
        }));
      return await examine({ folder: path, driver: storage.driver, storage: storage.repoStorage }, [verify]);
    } finally {
      storage.close();
    }
  } catch (error) {
    if (error instanceof StartError || error instanceof CliError) throw error;
    throw new CliError(
      'unsound',
      `The database in ${path} cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}.`,
      'Restore the folder from a backup, or ask for help with this sentence.',
      { cause: error },
    );
  } finally {
    folder.release();
  }
}
