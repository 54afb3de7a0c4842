import { isoTime } from '@packhouse/base';
import type { RepoRecord } from '../ports/catalog.ts';
import type { RepoStatus } from '../ports/repo-storage.ts';

/** A repo in the form of REST, with members in this order (REPO-051). */
export interface RepoInfo {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly default_branch: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_push_at: string | null;
  readonly source: string | null;
  readonly read_only: boolean;
  readonly remote: string;
}

/** REPO-052. */
export interface RepoListItem extends RepoInfo {
  readonly status: RepoStatus;
}

/** REPO-053; `token` is the plaintext. */
export interface CreateRepoResult {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly default_branch: string;
  readonly remote: string;
  readonly token: string;
}

/** REPO-053; `objects`: how many Git objects the fork holds, or was given so far (REPO-132). */
export interface ForkRepoResult extends CreateRepoResult {
  readonly objects: number;
}

export function repoInfo(repo: RepoRecord, remote: string): RepoInfo {
  return {
    id: repo.id,
    name: repo.name,
    description: repo.description,
    default_branch: repo.defaultBranch,
    created_at: isoTime(repo.createdAt),
    updated_at: isoTime(repo.updatedAt),
    last_push_at: repo.lastPushAt === null ? null : isoTime(repo.lastPushAt),
    source: repo.source,
    read_only: repo.readOnly,
    remote,
  };
}
