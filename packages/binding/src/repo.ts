/// <reference lib="esnext.disposable" preserve="true" />
import type { Commit, CreateRepoResult, CreateTokenResult, RepoInfo, TokenListResult, TreeEntry } from './results.ts';

export interface ForkOptions {
  /** Default: none. */
  description?: string;
  /** Default false. */
  readOnly?: boolean;
  /** Whether only the branch that HEAD names is copied. Default true. */
  defaultBranchOnly?: boolean;
}

export interface FileRequest {
  /** A branch, a tag, a full name of a ref, `HEAD`, or the id of a commit. */
  ref: string;
  /** From the root of the tree, parted by slashes. */
  path: string;
}

export interface LogOptions {
  /** As in {@link FileRequest}. Default `HEAD`. */
  ref?: string;
  /** At least 1, default 50; above 1,000 is as 1,000. */
  limit?: number;
  /** Commits to pass over. Default 0. */
  offset?: number;
}

/**
 * A handle on one repository, by its id: it never stands for another that takes its name (BIND-038). Every method may
 * reject with a {@link RepoError}: with `NOT_FOUND` once the repository is deleted, and `INTERNAL_ERROR`. After
 * `[Symbol.dispose]()` each rejects with a plain `Error`.
 */
export interface Repo extends Disposable {
  /** Looked up afresh on each call. */
  info(): Promise<RepoInfo>;
  /**
   * Rejects with `INVALID_INPUT` for another scope, `INVALID_TTL` for another time.
   *
   * @param scope Default `write`.
   * @param ttl Whole seconds from 60 to 31,536,000. Default 86,400.
   */
  createToken(scope?: 'write' | 'read', ttl?: number): Promise<CreateTokenResult>;
  listTokens(): Promise<TokenListResult>;
  /**
   * False if there is no such token of this repository, or it has ended. Rejects with `INVALID_INPUT` for what is neither
   * an id nor has the form of a token.
   *
   * @param tokenOrId The id, the plaintext, or the plaintext up to its `?`.
   */
  revokeToken(tokenOrId: string): Promise<boolean>;
  /**
   * Null if there is no such object, or it is no blob. The blob's `type` is empty. Rejects with `INVALID_INPUT` for what
   * is no hash, `MEMORY_LIMIT` for what is too large.
   *
   * @param hash 40 lower-case hexadecimal digits; as in the next two.
   */
  readBlob(hash: string): Promise<Blob | null>;
  /** Null if there is no such object. Rejects with `INVALID_INPUT`, `MEMORY_LIMIT`, and `INTERNAL_ERROR` if it is no tree. */
  readTree(hash: string): Promise<TreeEntry[] | null>;
  /** Null if there is no such object. Rejects with `INVALID_INPUT`, `MEMORY_LIMIT`, and `INTERNAL_ERROR` if it is no commit. */
  readCommit(hash: string): Promise<Commit | null>;
  /**
   * A file or the target of a symbolic link; null if there is none. The blob's `type` never lets a browser run what is in
   * it. Rejects with `INVALID_INPUT` unless both arguments are texts with something in them, `MEMORY_LIMIT`.
   */
  readFile(args: FileRequest): Promise<Blob | null>;
  /**
   * Commits along the first parents, newest first; none if the ref does not resolve. Rejects with `INVALID_INPUT`,
   * `MEMORY_LIMIT`.
   */
  log(opts?: LogOptions): Promise<Commit[]>;
  /**
   * Forks into a new repository of the same namespace. Rejects with `INVALID_REPO_NAME`, `INVALID_INPUT`,
   * `ALREADY_EXISTS`, `FORK_IN_PROGRESS`, `MEMORY_LIMIT` if the account has no room.
   */
  fork(name: string, opts?: ForkOptions): Promise<CreateRepoResult>;
}
