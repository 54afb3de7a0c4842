import { RepoGoneError } from '@packhouse/git';
import type { Hosting, HostedRepoState, PushedRepo } from '@packhouse/hosting';

/** Maximum number of repositories in the list. The hourly walk over all repositories repairs the others. */
const missedMax = 1_000;

type Touching = Pick<Hosting, 'touch'>;

/** Repositories whose last push could not be recorded in the catalog, for a retry (GIT-159). */
export class MissedTouches {
  readonly #missed = new Map<string, { readonly repo: PushedRepo; readonly state: HostedRepoState }>();

  add(repo: PushedRepo, state: HostedRepoState): void {
    if (this.#missed.size < missedMax) this.#missed.set(`${repo.account}/${repo.id}`, { repo, state });
  }

  /** Retries all records. A record that fails again is reported and kept. */
  async repeat(hosting: Touching, report: (error: unknown) => void): Promise<void> {
    const missed = [...this.#missed.values()];
    // Clear first, so that pushes that are added during the retry stay for the next one.
    this.#missed.clear();
    for (const { repo, state } of missed) {
      try {
        await repairLastPush(hosting, repo, state);
      } catch (error) {
        // A deleted repository has no last push to record.
        if (error instanceof RepoGoneError) continue;
        report(error);
        this.add(repo, state);
      }
    }
  }
}

/**
 * Records the last push in the catalog, unless the catalog already has it. Compares versions, not times, because a
 * clock may be set back.
 *
 * @param knownVersion The version of the state that the catalog recorded last. Default: no version.
 * @throws the error of the state or the catalog.
 */
export async function repairLastPush(
  hosting: Touching,
  { account, id }: PushedRepo,
  state: HostedRepoState,
  knownVersion = -1,
): Promise<void> {
  const last = await state.lastPush();
  if (last === undefined || last.version <= knownVersion) return;
  const push = { pushedAt: last.at, bytes: await state.storedBytes(), version: last.version };
  await hosting.touch(account, id, push);
}
