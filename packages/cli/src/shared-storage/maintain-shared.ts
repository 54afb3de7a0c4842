import type { Progress } from '@packhouse/command';
import { leftoverAge, maintenanceKey } from '@packhouse/hosting';
import { createLeasing, sharedRetireGraceMax } from '@packhouse/router';
import { checkDatabase, databaseStorage } from '@packhouse/storage/postgres';
import { maintainRepos, type OnRepo, type RepoOutcome, type Wanted } from '../data-folder/maintain-folder.ts';
import type { Maintained, MaintainRepoOptions } from '../data-folder/maintain-repo.ts';
import { sharedRepos } from './shared-repos.ts';
import type { OpenedShared } from './with-shared-storage.ts';

/**
 * Maintains one repository of a database, or all in turn, each under the lease that servers take for it. Servers may run
 * meanwhile, so replaced packs and left-overs stay as long as servers keep them.
 *
 * @throws {CliError} kind `refused` if there is no such repository, and errors of the storage.
 */
export async function maintainShared(
  { postgres, packs, name }: OpenedShared,
  wanted: Wanted | undefined,
  options: MaintainRepoOptions,
  show: Progress['show'],
): Promise<readonly RepoOutcome[]> {
  await checkDatabase({ driver: postgres, place: packs.place });
  const storage = await databaseStorage({ driver: postgres, place: packs.place });
  // A lease that cannot be released expires.
  const leasing = createLeasing(storage.leases, storage, () => undefined);
  const { signal } = new AbortController();
  const onRepo: OnRepo = async ({ account, id, jurisdiction }, work) => {
    let done: Maintained | undefined;
    await leasing.run(maintenanceKey(id), { signal }, async ({ repos }) => {
      done = await work(repos.repo(account, id, jurisdiction));
    });
    return done ?? 'a server is maintaining it now';
  };
  const others = { retireGrace: Math.min(options.grace, sharedRetireGraceMax), leftoverAge };
  const where = { known: await sharedRepos(postgres), place: name, onRepo };
  return maintainRepos(where, wanted, { ...options, others }, show);
}
