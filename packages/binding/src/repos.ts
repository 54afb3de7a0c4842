import type { Repo } from './repo.ts';
import type { CreateRepoResult, RepoListResult } from './results.ts';

export interface CreateOptions {
  /** Refuses all pushes. Default false. */
  readOnly?: boolean;
  /** At most 1,024 characters. Default: no description. */
  description?: string;
  /** Name of a branch. Default `main`. */
  setDefaultBranch?: string;
}

export interface ImportParams {
  source: {
    /** An `https` URL. The final `.git` is optional. */
    url: string;
    /** Default: all branches and tags. */
    branch?: string;
    /** Number of commits of history, at least 1. Default: all. */
    depth?: number;
  };
  target: {
    name: string;
    opts?: {
      /** At most 1,024 characters. Default: no description. */
      description?: string;
      /** Default false. */
      readOnly?: boolean;
    };
  };
}

export interface ListOptions {
  /** 1 to 200, default 50. */
  limit?: number;
  /** Cursor of the previous page. Default: the first page. */
  cursor?: string;
}

/**
 * One namespace of one account, usable without a token. Every method may reject with a {@link RepoError}: with the
 * codes named here, and with `INTERNAL_ERROR`.
 */
export interface Repos {
  /** Creates an empty repository. Rejects with `INVALID_REPO_NAME`, `INVALID_INPUT`, `ALREADY_EXISTS`. */
  create(name: string, opts?: CreateOptions): Promise<CreateRepoResult>;
  /**
   * Returns a handle on the repository with this name, ignoring case. Rejects with `NOT_FOUND`, `CREATE_IN_PROGRESS`,
   * `IMPORT_IN_PROGRESS`, `FORK_IN_PROGRESS`.
   */
  get(name: string): Promise<Repo>;
  /**
   * Copies a publicly readable repository. Rejects with `INVALID_REPO_NAME`, `INVALID_INPUT`, `INVALID_URL`,
   * `REMOTE_AUTH_REQUIRED`, `NOT_FOUND`, `UPSTREAM_UNAVAILABLE`, `MEMORY_LIMIT`, `ALREADY_EXISTS`.
   */
  import(params: ImportParams): Promise<CreateRepoResult>;
  /** Lists repositories, newest first. Rejects with `INVALID_INPUT`. */
  list(opts?: ListOptions): Promise<RepoListResult>;
  /** Deletes a repository. Returns true if it existed. Rejects with `INVALID_REPO_NAME`. */
  delete(name: string): Promise<boolean>;
}
