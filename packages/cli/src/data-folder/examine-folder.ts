import { createGitEngine, verifyRepository } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import type { Progress } from '@packhouse/command';
import { withDataFolder } from './with-data-folder.ts';
import { examine, type RepoCheck, type Report } from './examine.ts';

/**
 * Holds the data folder at `path` while it examines everything in it.
 *
 * @throws {StartError} and {@link CliError} as {@link withDataFolder} does.
 */
export async function examineFolder(path: string, show?: Progress['show']): Promise<Report> {
  return withDataFolder(path, ({ driver, repos }) => {
    const engine = createGitEngine({ codec: nodeCodec() });
    const verify: RepoCheck = async (repo, snapshot) =>
      (await verifyRepository(engine, repo, snapshot)).map(({ about, where, what }) => ({
        where: `${about} ${where}`,
        what,
      }));
    return examine({ folder: path, driver, storage: repos }, [verify], show);
  });
}
