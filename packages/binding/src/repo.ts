/// <reference lib="esnext.disposable" preserve="true" />
import type {
  Commit,
  CommitDetails,
  Comparison,
  CreateRepoResult,
  CreateTokenResult,
  FilesRead,
  Merge,
  NewBlob,
  NewCommit,
  RefChange,
  RefListResult,
  RepoDetails,
  SearchResult,
  TokenListResult,
  TreeEntry,
  TreeListing,
} from './results.ts';

export interface ForkOptions {
  /** Default: no description. */
  description?: string;
  /** Default false. */
  readOnly?: boolean;
  /** Copies only the branch that HEAD names. Default true. */
  defaultBranchOnly?: boolean;
}

export interface UpdateOptions {
  /** The new name. */
  name?: string;
  /** At most 1,024 characters; null for none. */
  description?: string | null;
  /** Name of a branch, which need not exist. */
  defaultBranch?: string;
  /** True refuses all pushes, until it is false again. */
  readOnly?: boolean;
}

export interface FileRequest {
  /** A branch, tag, full ref name, `HEAD`, or commit id, and behind it steps to parents such as `~2` or `^2`. */
  ref: string;
  /** Path from the root of the tree, separated by slashes. */
  path: string;
}

export interface CommitReadOptions {
  /** `changes` adds the files that the commit changes. Beyond the public service. */
  include?: 'changes';
}

/** A revision: text as in {@link FileRequest}, perhaps behind the name of a fork or parent and a colon; or both apart, by default `HEAD`. */
export type RelativeRevision = string | { namespace?: string; repo: string; ref?: string };

export interface CompareRequest {
  base: RelativeRevision;
  head: RelativeRevision;
}

export interface ArchiveOptions {
  /** Default `tar.gz`. */
  format?: 'tar.gz' | 'tar' | 'zip';
  /** The only file or folder to archive. Default: the whole tree. */
  path?: string;
  /** Put before each path; a folder has a slash at its end. Default: nothing. */
  prefix?: string;
}

export interface LogOptions {
  /** The same as in {@link FileRequest}. Default `HEAD`. */
  ref?: string;
  /** At least 1, default 50. Values above 1,000 mean 1,000. */
  limit?: number;
  /** Number of commits to skip. Default 0. */
  offset?: number;
  /** Only commits that change this file or folder. This and the options below are beyond the public service. */
  path?: string;
  /** Follows the first parent of each commit, or all of them. Default `first`. */
  parents?: 'first' | 'all';
  /** Part of the author, written `Name <address>`. */
  author?: string;
  /** Only commits with this committer date or a later one, in Unix seconds. */
  since?: number;
  /** Only commits with this committer date or an earlier one, in Unix seconds. */
  until?: number;
}

export interface FilesRequest {
  /** The same as in {@link FileRequest}. Default `HEAD`. */
  ref?: string;
  /** 1 to 1,000 paths from the root of the tree. */
  paths: readonly string[];
}

export interface ListTreeOptions {
  /** The same as in {@link FileRequest}. Default `HEAD`. */
  ref?: string;
  /** A folder. Default: the root. */
  path?: string;
  /** Also lists what is below folders. Default false. */
  recursive?: boolean;
  /** Levels to list. Default 1, or all if `recursive`. */
  depth?: number;
  /** From 1 to 1,000, default 1,000. */
  limit?: number;
  /** The cursor of the page before. Default: the first page. */
  cursor?: string;
}

export interface ListRefsOptions {
  /** The start of full names, such as `refs/heads/`. Default: all. */
  prefix?: string;
  /** From 1 to 1,000, default 100. */
  limit?: number;
  /** The cursor of the page before. Default: the first page. */
  cursor?: string;
}

/** Author or committer of a commit to make. */
export interface Signature {
  name: string;
  email: string;
  /** Unix seconds. Default: now. */
  time?: number;
  /** Such as `+0200`. Default `+0000`. */
  timezone?: string;
}

export type FileChange =
  /** Puts a file, in place of the one that is there. The default mode is that of the file there, or `100644`. */
  | {
      op: 'put';
      path: string;
      content: string | Uint8Array;
      /** The encoding of a text. Default `utf-8`. */
      encoding?: 'utf-8' | 'base64';
      mode?: '100644' | '100755' | '120000';
    }
  /** The same with a blob that the repository has. */
  | { op: 'put'; path: string; hash: string; mode?: '100644' | '100755' | '120000' }
  /** Deletes a file, or a folder with everything in it. */
  | { op: 'delete'; path: string }
  /** Moves a file or folder to a path where nothing is. */
  | { op: 'move'; from: string; path: string };

export interface CommitOptions {
  /** Short name of a branch, which is created if it is new. */
  branch: string;
  /** Revision where a new branch begins. Default: the default branch. */
  from?: string;
  /** The head that the branch must have; null: it must not exist. Default: any. */
  expectedHead?: string | null;
  message: string;
  author: Signature;
  /** Default: the author. */
  committer?: Signature;
  /** Applied in their order, at most 10,000. */
  changes?: readonly FileChange[];
  /** Allows a commit that changes nothing. Default false. */
  allowEmpty?: boolean;
  /** 1 to 255 visible ASCII characters of your own: a call with it and the same options returns the first result, and commits nothing. */
  idempotencyKey?: string;
}

/** A revision, here or in a fork or the parent. */
export type MergeSource =
  | string
  | {
      /** The namespace of this repository, which is the default. */
      namespace?: string;
      repo: string;
      /** Default `HEAD`. */
      ref?: string;
    };

export interface MergeOptions {
  /** Short name of the branch that takes the merge. */
  into: string;
  from: MergeSource;
  /** `merge` makes a commit in any case, `squash` one with one parent, `ff-only` none. Default `merge`. */
  strategy?: 'merge' | 'ff-only' | 'squash';
  /** Default: as `git merge`. Required with `squash`. */
  message?: string;
  /** Required unless `ff-only`. */
  author?: Signature;
  /** Default: the author. */
  committer?: Signature;
  /** The head that `into` must have. Default: any. */
  expectedHead?: string;
  /** The commit that `from` must have. Default: any. */
  expectedFrom?: string;
}

export interface CherryPickOptions {
  /** Short name of the branch that gets the commit. */
  into: string;
  commit: MergeSource;
  /** The parent that a merge commit is compared with, from 1. */
  mainline?: number;
  /** Default: that of the commit. */
  message?: string;
  committer: Signature;
  /** The head that `into` must have. Default: any. */
  expectedHead?: string;
  /** Allows a commit that changes nothing. Default false. */
  allowEmpty?: boolean;
}

export interface RevertOptions extends Omit<CherryPickOptions, 'commit' | 'committer'> {
  /** A revision of this repository. */
  commit: string;
  author: Signature;
  /** Default: the author. */
  committer?: Signature;
}

export interface RefUpdate {
  /** The full name, such as `refs/heads/main`. */
  name: string;
  /** The hash that the ref must have; null: it must not exist. Default: any. */
  old?: string | null;
  /** The new hash; null deletes the ref. */
  new: string | null;
  /** Allows a move that loses commits, and the move of a tag. Default false. */
  force?: boolean;
}

export interface SearchOptions {
  /** A commit id, a branch, a tag or a full ref name. Default `HEAD`. */
  ref?: string;
  /** A folder or file. Default: everything. */
  path?: string;
  /** True: `q` is a regular expression in the syntax of RE2. Default false. */
  regex?: boolean;
  /** Default false. */
  ignoreCase?: boolean;
  /** From 1 to 1,000, default 100. */
  limit?: number;
  /** The cursor of the page before. Default: the first page. */
  cursor?: string;
}

/**
 * A handle on one repository, by id: it never refers to another repository that takes the name (BIND-038). Every method
 * may reject with a {@link RepoError}: with `NOT_FOUND` once the repository is deleted, and with `INTERNAL_ERROR`.
 * After `[Symbol.dispose]()` each rejects with a plain `Error`.
 */
export interface Repo extends Disposable {
  /** Reads the current metadata on each call. */
  info(): Promise<RepoDetails>;
  /**
   * Changes the members that are given, together or not at all (BIND-077). The handle stays valid. Rejects with
   * `INVALID_INPUT`, `INVALID_REPO_NAME`, `ALREADY_EXISTS`. Not a method of the public service.
   *
   * @returns the new metadata.
   */
  update(fields: UpdateOptions): Promise<RepoDetails>;
  /**
   * Creates a token. Rejects with `INVALID_INPUT` for an invalid scope, `INVALID_TTL` for an invalid lifetime.
   *
   * @param scope Default `write`.
   * @param ttl Whole seconds from 60 to 31,536,000. Default 86,400.
   */
  createToken(scope?: 'write' | 'read', ttl?: number): Promise<CreateTokenResult>;
  listTokens(): Promise<TokenListResult>;
  /**
   * Revokes a token. Returns false if this repository has no such active token. Rejects with `INVALID_INPUT` for a text
   * that has neither the form of an id nor that of a token.
   *
   * @param tokenOrId The id, the plaintext, or the plaintext up to its `?`.
   */
  revokeToken(tokenOrId: string): Promise<boolean>;
  /**
   * Reads a blob. Returns null if the object is missing or not a blob. The `type` of the result is empty. Rejects with
   * `INVALID_INPUT` for an invalid hash, `MEMORY_LIMIT` for a blob that is too large.
   *
   * @param hash 40 lower-case hexadecimal digits, also for `readTree` and `readCommit`.
   */
  readBlob(hash: string): Promise<Blob | null>;
  /**
   * Reads a tree. Returns null if the object is missing. Rejects with `INVALID_INPUT`, `MEMORY_LIMIT`, and
   * `INTERNAL_ERROR` for another type.
   */
  readTree(hash: string): Promise<TreeEntry[] | null>;
  /**
   * Reads a commit, with the files that it changes if asked (BIND-104). Returns null if the object is missing. Rejects
   * with `INVALID_INPUT`, `MEMORY_LIMIT`, and `INTERNAL_ERROR` for another type.
   */
  readCommit(hash: string, opts?: CommitReadOptions): Promise<CommitDetails | null>;
  /**
   * Reads a file, or the target of a symbolic link. Returns null if the path does not exist. The `type` of the result
   * never lets a browser execute the content. Rejects with `INVALID_INPUT` unless both arguments are non-empty texts,
   * and with `MEMORY_LIMIT`.
   */
  readFile(args: FileRequest): Promise<Blob | null>;
  /**
   * Lists commits, newest first: along first parents, or with filters (BIND-107). Empty if the ref does not resolve; a
   * space separates several refs. Rejects with `INVALID_INPUT`,
   * `MEMORY_LIMIT`.
   */
  log(opts?: LogOptions): Promise<Commit[]>;
  /**
   * Reads several files of one commit, 2 MiB of content in all (BIND-105). Returns null if the ref does not resolve. A
   * file that is missing or does not fit has an `error`. Rejects with `INVALID_INPUT`. Not a method of the public
   * service.
   */
  readFiles(args: FilesRequest): Promise<FilesRead | null>;
  /**
   * Lists a folder, in pages (BIND-106). Returns null if the ref or the folder is missing. Rejects with `INVALID_INPUT`.
   * Not a method of the public service.
   */
  listTree(opts?: ListTreeOptions): Promise<TreeListing | null>;
  /**
   * Lists branches, tags and other refs, in pages (BIND-076). Rejects with `INVALID_INPUT`. Not a method of the public
   * service.
   */
  listRefs(opts?: ListRefsOptions): Promise<RefListResult>;
  /**
   * Archives the files of a revision as `git archive` does (BIND-112). Returns null if the revision does not resolve or
   * has no such path. Read or cancel the stream, which holds memory. Rejects with `INVALID_INPUT`, `MEMORY_LIMIT`. Not a
   * method of the public service.
   *
   * @param ref the same as in {@link FileRequest}.
   */
  archive(ref: string, opts?: ArchiveOptions): Promise<ReadableStream<Uint8Array> | null>;
  /**
   * Updates at most 1,000 refs, all or none (BIND-078). Rejects with `STALE_REF` if a ref has another value than `old`,
   * with `REF_REFUSED` if a push could not make the update, with `NOT_FOUND` for a hash or ref that does not exist, and
   * with `READ_ONLY`, `INVALID_INPUT`. Not a method of the public service.
   */
  updateRefs(updates: readonly RefUpdate[]): Promise<RefChange[]>;
  /**
   * Commits changes of files to a branch (BIND-079). Rejects with `STALE_REF` if the branch has another head than
   * expected, with `REF_REFUSED` if a change cannot be made or a push could not make it, with `NOT_FOUND` for a missing
   * `from` or hash, and with `READ_ONLY`, `INVALID_INPUT`, `MEMORY_LIMIT`. Not a method of the public service.
   */
  commit(opts: CommitOptions): Promise<NewCommit>;
  /**
   * Merges a branch into another one, also from a fork or the parent (BIND-109). A branch that has it already stays.
   * Rejects with `MERGE_CONFLICT` and the paths in `details`, with `STALE_REF` if a side has another head than expected,
   * with `REF_REFUSED` if Git would not merge or a push could not move the branch, with `NOT_FOUND` for a missing branch
   * or repository, and with `READ_ONLY`, `INVALID_INPUT`, `MEMORY_LIMIT`. Not a method of the public service.
   */
  merge(opts: MergeOptions): Promise<Merge>;
  /** Applies the change of a commit to a branch (BIND-110). Rejects as `merge`. Not a method of the public service. */
  cherryPick(opts: CherryPickOptions): Promise<Merge>;
  /** Undoes the change of a commit on a branch (BIND-110). Rejects as `merge`. Not a method of the public service. */
  revert(opts: RevertOptions): Promise<Merge>;
  /**
   * Stores the content of a file, for a commit that names its hash in place of `content` (BIND-115). A stream needs
   * little memory. Rejects with `READ_ONLY`, `INVALID_INPUT`, `MEMORY_LIMIT`, and with `REF_REFUSED` if a push could not
   * store it. Not a method of the public service.
   */
  writeBlob(content: Uint8Array | Blob | ReadableStream<Uint8Array>): Promise<NewBlob>;
  /**
   * Compares the merge base of two revisions with the second of them (BIND-108). Either may be of a fork or the parent, in
   * the same namespace. Rejects with `NOT_FOUND` for a revision or repository that does not exist, and with
   * `INVALID_INPUT`, `MEMORY_LIMIT`. Not a method of the public service.
   */
  compare(args: CompareRequest): Promise<Comparison>;
  /**
   * Finds the lines of files that contain a text or match a regular expression, in pages (BIND-113). Rejects with
   * `INVALID_INPUT`, and with `NOT_FOUND` for a ref or path that does not resolve. Not a method of the public service.
   */
  search(q: string, opts?: SearchOptions): Promise<SearchResult>;
  /**
   * Forks into a new repository of the same namespace. Rejects with `INVALID_REPO_NAME`, `INVALID_INPUT`,
   * `ALREADY_EXISTS`, `FORK_IN_PROGRESS`, and with `MEMORY_LIMIT` if the account has no storage left.
   */
  fork(name: string, opts?: ForkOptions): Promise<CreateRepoResult>;
}
