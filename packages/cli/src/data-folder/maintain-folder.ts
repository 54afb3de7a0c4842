import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { foldName, type HostedRepo } from '@packhouse/hosting';
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

/** Runs work on the storage of one repository, or returns why it cannot. */
export type OnRepo = (
  repo: KnownRepo,
  work: (opened: HostedRepo) => Promise<Maintained>,
) => Promise<Maintained | string>;

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
      const onRepo: OnRepo = ({ account, id, jurisdiction }, work) => work(repos.repo(account, id, jurisdiction));
      return maintainRepos({ known: knownRepos(driver), place: path, onRepo }, wanted, options, show);
    });
  } catch (error) {
    if (!(error instanceof StartError) || error.kind !== 'data folder in use') throw error;
    const hint =
      'A running server merges packs by itself. To do it now, or to rewrite the database, stop that server first.';
    throw new StartError(error.kind, error.message, hint, { cause: error });
  }
}

/**
 * Maintains one of the known repositories, or all in turn.
 *
 * @param where.place Name of the storage, for messages.
 * @throws {CliError} kind `refused` if there is no such repository.
 */
export async function maintainRepos(
  where: { readonly known: readonly KnownRepo[]; readonly place: string; readonly onRepo: OnRepo },
  wanted: Wanted | undefined,
  options: MaintainRepoOptions,
  show: Progress['show'],
): Promise<readonly RepoOutcome[]> {
  const named = where.known.filter((one): one is NamedRepo => one.name !== undefined && one.stored);
  const chosen = wanted === undefined ? named : [findRepo(named, wanted, where.place)];
  const engine = createGitEngine({ codec: nodeCodec() });
  const outcomes: RepoOutcome[] = [];
  for (const [index, one] of chosen.entries()) {
    const { account, name: repo } = one;
    show(`Maintaining repo ${index + 1} of ${chosen.length}: ${repo}`);
    const done = await where
      .onRepo(one, (opened) => maintainRepo(engine, opened, options))
      .catch((error: unknown) => (error instanceof Error ? error.message : 'unknown reason'));
    outcomes.push({
      account,
      repo,
      ...(typeof done === 'string' ? { ok: false, reason: done } : { ok: true, ...done }),
    });
  }
  return outcomes;
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
