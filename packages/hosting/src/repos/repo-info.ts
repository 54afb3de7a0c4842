import { isoTime } from '@packhouse/base';
import type { RepoRecord } from '../ports/catalog.ts';
import type { HostedSnapshot, RepoStatus } from '../ports/repo-storage.ts';
import { storedSize } from '@packhouse/git';

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

/** A single repo (REPO-239). Lists lack these members, which cost a visit to the state of each repo. */
export interface RepoDetails extends RepoInfo {
  /** Bytes of its packs with their indexes and graphs (LIM-050). */
  readonly size: number;
  /** Objects in its packs. An object in two packs counts twice. */
  readonly object_count: number;
  /** Refs, including hidden ones. */
  readonly ref_count: number;
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

export function repoDetails(repo: RepoRecord, remote: string, { packs, refCount }: HostedSnapshot): RepoDetails {
  return {
    ...repoInfo(repo, remote),
    size: packs.reduce((sum, pack) => sum + storedSize(pack), 0),
    object_count: packs.reduce((sum, { objects }) => sum + objects, 0),
    ref_count: refCount,
  };
}
