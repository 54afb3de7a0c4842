import type { RepoPath } from '@packhouse/hosting';
import type { Call } from './operations.ts';

/** Returns the repository that the path of a request names. */
export function repoOf({ account, path, within }: Call): RepoPath {
  return { account, namespace: path('namespace'), repo: path('repo_name'), within };
}
