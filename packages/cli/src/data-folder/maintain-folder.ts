import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { foldName } from '@packhouse/hosting';
import { StartError } from '@packhouse/server';
import { CliError, type Progress } from '@packhouse/command';
import { knownRepos, type KnownRepo } from './inventory.ts';
import { withDataFolder } from './with-data-folder.ts';
import { maintainRepo, type Maintained, type MaintainRepoOptions } from './maintain-repo.ts';

/** The outcome for one repository. */
export type RepoOutcome = {
  readonly account: string;
  /** `namespace/name`. */
  readonly repo: string;
} & (({ readonly ok: true } & Maintained) | { readonly ok: false; readonly reason: string });

/** The repository to maintain. */
export interface Wanted {
  readonly account: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Maintains one repository of the data folder at `path`, or all in turn if `wanted` is absent. A failure does not stop
 * the others.
 *
 * @throws {CliError} kind `refused` if there is no such repository, {@link StartError} if a server holds the folder,
 *   and both as {@link withDataFolder} does.
 */
export async function maintainFolder(
  path: string,
  wanted: Wanted | undefined,
  options: MaintainRepoOptions,
  show: Progress['show'],
): Promise<readonly RepoOutcome[]> {
  try {
    return await withDataFolder(path, async ({ driver, repos }) => {
      const named = knownRepos(driver).filter((one): one is NamedRepo => one.name !== undefined && one.stored);
      const chosen = wanted === undefined ? named : [findRepo(named, wanted, path)];
      const engine = createGitEngine({ codec: nodeCodec() });
      const outcomes: RepoOutcome[] = [];
      for (const [index, { account, id, name: repo, jurisdiction }] of chosen.entries()) {
        show(`Maintaining repo ${index + 1} of ${chosen.length}: ${repo}`);
        try {
          const done = await maintainRepo(engine, repos.repo(account, id, jurisdiction), options);
          outcomes.push({ account, repo, ok: true, ...done });
        } catch (error) {
          outcomes.push({
            account,
            repo,
            ok: false,
            reason: error instanceof Error ? error.message : 'unknown reason',
          });
        }
      }
      return outcomes;
    });
  } catch (error) {
    if (!(error instanceof StartError) || error.kind !== 'data folder in use') throw error;
    const hint =
      'A running server merges packs by itself. To do it now, or to rewrite the database, stop that server first.';
    throw new StartError(error.kind, error.message, hint, { cause: error });
  }
}

type NamedRepo = KnownRepo & { readonly name: string };

/** Finds a repository by name. Like the service, it ignores case. */
function findRepo(repos: readonly NamedRepo[], { account, namespace, name }: Wanted, path: string): NamedRepo {
  const folded = foldName(`${namespace}/${name}`);
  const found = repos.find((one) => one.account === account && foldName(one.name) === folded);
  if (found !== undefined) return found;
  throw new CliError(
    'refused',
    `There is no repo "${name}" in namespace "${namespace}" of account "${account}" in ${path}.`,
    repos.length === 0
      ? 'There are no repos at all; check --data.'
      : `Check --namespace, --account and --data; there ${repos.length === 1 ? 'is one repo' : `are ${repos.length} repos`}, such as "${repos[0]?.name}".`,
  );
}
