import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { GitRepository } from '../engine/engine.ts';
import { RefsExpiredError } from './repo-refs.ts';

const attempts = 5;

/** Runs `work` with a snapshot, and again with a new one if the refs of the first can no longer be read. */
export async function retryExpired<T>(
  { state }: GitRepository,
  snapshot: RepoSnapshot,
  work: (snapshot: RepoSnapshot) => Promise<T>,
): Promise<T> {
  for (let attempt = 1, current = snapshot; ; attempt++) {
    try {
      return await work(current);
    } catch (error) {
      if (!(error instanceof RefsExpiredError) || attempt === attempts) throw error;
      current = (await state.snapshot()) ?? current;
    }
  }
}
