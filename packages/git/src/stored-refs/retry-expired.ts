import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { GitRepository } from '../engine/engine.ts';
import { RefsExpiredError } from './repo-refs.ts';

const attempts = 5;

/** Runs `work` with a snapshot, and again with a new one if the refs of the first can no longer be read. */
export function retryExpired<T>(
  repository: GitRepository,
  snapshot: RepoSnapshot,
  work: (snapshot: RepoSnapshot) => Promise<T>,
): Promise<T> {
  return retryAllExpired([repository], [snapshot], ([current]) => work(current as RepoSnapshot));
}

/** Does the same with one snapshot of each of several repositories, which are read together. */
export async function retryAllExpired<T>(
  repositories: readonly GitRepository[],
  snapshots: readonly RepoSnapshot[],
  work: (snapshots: readonly RepoSnapshot[]) => Promise<T>,
): Promise<T> {
  for (let attempt = 1, current = snapshots; ; attempt++) {
    try {
      return await work(current);
    } catch (error) {
      if (!(error instanceof RefsExpiredError) || attempt === attempts) throw error;
      const newest = repositories.map(async ({ state }, i) => (await state.snapshot()) ?? (current[i] as RepoSnapshot));
      current = await Promise.all(newest);
    }
  }
}
