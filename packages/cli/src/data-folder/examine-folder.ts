import type { Progress } from '@packhouse/command';
import { databaseProblems, knownRepos, packsOfNobody } from './inventory.ts';
import { withDataFolder } from './with-data-folder.ts';
import { examine, type Report } from './examine.ts';
import { repoCheck } from './repo-check.ts';

/**
 * Holds the data folder at `path` while it examines everything in it.
 *
 * @throws {StartError} and {@link CliError} as {@link withDataFolder} does.
 */
export async function examineFolder(path: string, show?: Progress['show']): Promise<Report> {
  return withDataFolder(path, ({ driver, repos: storage }) => {
    show?.('Checking the database');
    const [problems, known] = [databaseProblems(driver), knownRepos(driver)];
    const examined = { problems, known, storage, packsOfNobody: () => packsOfNobody(path, known, storage) };
    return examine(examined, [repoCheck()], show);
  });
}
