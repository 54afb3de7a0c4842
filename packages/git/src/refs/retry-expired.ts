import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { GitRepository } from '../repository/engine.ts';
import { RefsExpiredError } from './repo-refs.ts';

const attempts = 5;

/** Does `work` with a snapshot, and with a new one if so much has changed that the refs of that cannot be read any more. */
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
