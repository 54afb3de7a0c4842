import { RepoGoneError } from '@packhouse/git';
import type { Hosting, HostedRepoState, RepoHead } from '@packhouse/hosting';

/** More are left to the hourly walk over all repositories. */
const missedMax = 1_000;

type Touching = Pick<Hosting, 'touch'>;

/** Repositories whose last push the catalog did not take, to be told again (GIT-159). */
export class MissedTouches {
  readonly #missed = new Map<string, { readonly head: RepoHead; readonly state: HostedRepoState }>();

  add(head: RepoHead, state: HostedRepoState): void {
    if (this.#missed.size < missedMax) this.#missed.set(`${head.account}/${head.id}`, { head, state });
  }

  /** Tells the catalog again; what fails again is reported and kept. */
  async repeat(hosting: Touching, report: (error: unknown) => void): Promise<void> {
    const missed = [...this.#missed.values()];
    // Before the work: what is missed meanwhile, or again, is for the next time.
    this.#missed.clear();
    for (const { head, state } of missed) {
      try {
        await repairLastPush(hosting, head, state);
      } catch (error) {
        // A deleted repository has no last push to tell.
        if (error instanceof RepoGoneError) continue;
        report(error);
        this.add(head, state);
      }
    }
  }
}

/**
 * Tells the catalog of the last push unless it knows. `knownVersion`: that of the state it last heard of (default:
 * none). Versions decide, for a clock may be set back.
 *
 * @throws the error of the state or the catalog.
 */
export async function repairLastPush(
  hosting: Touching,
  { account, id }: { readonly account: string; readonly id: string },
  state: HostedRepoState,
  knownVersion = -1,
): Promise<void> {
  const last = await state.lastPush();
  if (last === undefined || last.version <= knownVersion) return;
  const push = { pushedAt: last.at, bytes: await state.storedBytes(), version: last.version };
  await hosting.touch(account, id, push);
}
