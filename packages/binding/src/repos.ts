import type { Repo } from './repo.ts';
import type { CreateRepoResult, RepoListResult } from './results.ts';

export interface CreateOptions {
  /** Whether pushes are refused for good. Default false. */
  readOnly?: boolean;
  /** At most 1,024 characters. Default: none. */
  description?: string;
  /** Name of a branch. Default `main`. */
  setDefaultBranch?: string;
}

export interface ImportParams {
  source: {
    /** `https`; `.git` at its end may be left out. */
    url: string;
    /** Default: all branches and tags. */
    branch?: string;
    /** Commits of history, at least 1. Default: all. */
    depth?: number;
  };
  target: {
    name: string;
    opts?: {
      /** At most 1,024 characters. Default: none. */
      description?: string;
      /** Default false. */
      readOnly?: boolean;
    };
  };
}

export interface ListOptions {
  /** 1 to 200, default 50. */
  limit?: number;
  /** That of the page before. Default: the first page. */
  cursor?: string;
}

/**
 * One namespace of one account, to be used without a token. Every method may reject with a {@link RepoError}, with the
 * codes that are named here, and `INTERNAL_ERROR`.
 */
export interface Repos {
  /** Makes an empty repository. Rejects with `INVALID_REPO_NAME`, `INVALID_INPUT`, `ALREADY_EXISTS`. */
  create(name: string, opts?: CreateOptions): Promise<CreateRepoResult>;
  /**
   * A handle on the repository that has the name now, in whatever case. Rejects with `NOT_FOUND`, `CREATE_IN_PROGRESS`,
   * `IMPORT_IN_PROGRESS`, `FORK_IN_PROGRESS`.
   */
  get(name: string): Promise<Repo>;
  /**
   * Copies a repository that anyone may read. Rejects with `INVALID_REPO_NAME`, `INVALID_INPUT`, `INVALID_URL`,
   * `REMOTE_AUTH_REQUIRED`, `NOT_FOUND`, `UPSTREAM_UNAVAILABLE`, `MEMORY_LIMIT`, `ALREADY_EXISTS`.
   */
  import(params: ImportParams): Promise<CreateRepoResult>;
  /** Newest first. Rejects with `INVALID_INPUT`. */
  list(opts?: ListOptions): Promise<RepoListResult>;
  /** True if it was there. Rejects with `INVALID_REPO_NAME`. */
  delete(name: string): Promise<boolean>;
}
