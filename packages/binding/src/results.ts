/** Metadata of a repository; times are ISO 8601 in UTC. */
export interface RepoInfo {
  /** Unpredictable and never reused. */
  id: string;
  name: string;
  description: string | null;
  /** Name of a branch that need not exist, such as `main`. */
  defaultBranch: string;
  createdAt: string;
  updatedAt: string;
  /** Null until the first push that changes a ref. */
  lastPushAt: string | null;
  /** The repository that it was forked or imported from; null if it was created. */
  source: string | null;
  readOnly: boolean;
  /** URL for Git. */
  remote: string;
}

/** Metadata of a single repository. The last three members are not of the public service (BIND-077). */
export interface RepoDetails extends RepoInfo {
  /** Bytes of its packs with their indexes, as they count for the limit of a repository. */
  size: number;
  /** Objects in its packs. An object in two packs counts twice. */
  objectCount: number;
  /** Branches, tags and other refs. */
  refCount: number;
}

/** A new repository. */
export interface CreateRepoResult {
  id: string;
  name: string;
  description: string | null;
  defaultBranch: string;
  remote: string;
  /** Plaintext of a token with scope `write`. It cannot be read again. */
  token: string;
}

/** An entry of a list, with `status` but without `remote` (BIND-046). */
export interface RepoListItem extends Omit<RepoInfo, 'remote'> {
  status: 'ready' | 'creating' | 'importing' | 'forking';
}

export interface RepoListResult {
  /** Newest first. */
  repos: RepoListItem[];
  /** Number of all repositories of the namespace. */
  total: number;
  /** Cursor of the next page; absent on the last one. */
  cursor?: string;
}

export interface CreateTokenResult {
  id: string;
  /** It cannot be read again. */
  plaintext: string;
  scope: 'read' | 'write';
  expiresAt: string;
}

export interface TokenInfo {
  id: string;
  scope: 'read' | 'write';
  state: 'active' | 'expired' | 'revoked';
  createdAt: string;
  expiresAt: string;
}

export interface TokenListResult {
  /** At most 1,000: active ones first, each group newest first. */
  tokens: TokenInfo[];
  /** Number of all stored tokens. */
  total: number;
}

export type TreeEntryType = 'tree' | 'blob' | 'symlink' | 'gitlink' | 'exec';

/** One entry of a tree. */
export interface TreeEntry {
  name: string;
  /** `40000`, `100644`, `100755`, `120000` or `160000`. */
  mode: string;
  /** 40 lower-case hexadecimal digits. */
  hash: string;
  type: TreeEntryType;
}

export interface Person {
  name: string;
  email: string;
}

export interface Commit {
  /** 40 lower-case hexadecimal digits. */
  hash: string;
  treeHash: string;
  /** The whole message, without its final line feed. */
  message: string;
  author: Person;
  committer: Person;
  /** In Git's order; empty for a first commit. */
  parents: string[];
  /** Unix seconds. */
  authoredAt: number;
  /** Unix seconds. */
  committedAt: number;
}

/** A file that differs between two trees. Not a result of the public service, as the three below. */
export interface ChangedFile {
  /** For a deleted file its old path. */
  path: string;
  /** The old path of a renamed file, else null. */
  previousPath: string | null;
  status: 'added' | 'deleted' | 'modified' | 'renamed' | 'type_changed';
  /** Null on the side that has no such file. */
  oldMode: string | null;
  newMode: string | null;
  oldHash: string | null;
  newHash: string | null;
  /** Percentage of a rename, else null. */
  similarity: number | null;
  /** Lines; 0 for a binary file. */
  additions: number;
  deletions: number;
  binary: boolean;
}

export interface ChangedFiles {
  /** In the order of their paths as bytes, at most 3,000. */
  files: ChangedFile[];
  /** True if files, or commits of a comparison, are left out. */
  truncated: boolean;
  /** True if too many files changed to look for all renames. */
  renamesLimited: boolean;
}

/** A commit, with its changes if they were asked for. */
export interface CommitDetails extends Commit {
  /** Changes from the first parent, or from nothing. */
  changes?: ChangedFiles;
}

/** The changes from the best common ancestor of two commits to the second of them. */
export interface Comparison extends ChangedFiles {
  /** Null without a common ancestor. */
  mergeBase: string | null;
  /** Number of commits that only `head` reaches. */
  ahead: number;
  /** Number of commits that only `base` reaches. */
  behind: number;
  /** Those that only `head` reaches: newest first, at most 250. */
  commits: Commit[];
}

/** A file that was read with others. Not a result of the public service. */
export interface FileRead {
  /** The path in the request, unchanged. */
  path: string;
  /** Null, as are the other members, if no file is there. */
  mode: string | null;
  hash: string | null;
  /** Size in bytes. */
  size: number | null;
  /** Null if the file did not fit. */
  encoding: 'utf-8' | 'base64' | null;
  content: string | null;
  error: { code: number; message: string } | null;
}

export interface FilesRead {
  /** The commit that the ref resolved to. */
  commit: string;
  /** In the order of the paths. */
  files: FileRead[];
}

/** An entry below a folder. Not a result of the public service. */
export interface ListedEntry extends TreeEntry {
  /** Path from the root. */
  path: string;
  /** Size in bytes of a file or symbolic link, else null. */
  size: number | null;
}

export interface TreeListing {
  /** In Git's order, each folder before what it holds. */
  entries: ListedEntry[];
  /** Cursor of the next page; absent on the last one. */
  cursor?: string;
}

/** A ref. Not a result of the public service. */
export interface Ref {
  /** The full name, such as `refs/heads/main`. */
  name: string;
  /** The object that the ref points to. */
  hash: string;
  /** The kind of that object. */
  kind: 'commit' | 'tree' | 'blob' | 'tag';
  /** For an annotated tag: the object that it leads to in the end; else null. */
  peeled: string | null;
}

/** A ref that an update moved. Not a result of the public service. */
export interface RefChange {
  /** The full name, such as `refs/heads/main`. */
  name: string;
  /** The value before; null: the ref did not exist. */
  old: string | null;
  /** The value now; null: the ref was deleted. */
  new: string | null;
}

/** A commit that was made, and the branch that it moved. Not a result of the public service. */
export interface NewCommit {
  commit: string;
  tree: string;
  ref: RefChange;
  /** The paths of the files that changed, in the order of their bytes. */
  paths: string[];
  /** True if `paths` leaves some out, beyond 10,000. */
  truncated: boolean;
}

/** A stored blob. Not a result of the public service. */
export interface NewBlob {
  hash: string;
  size: number;
}

/** A branch after a merge, cherry-pick or revert. Not a result of the public service. */
export interface Merge {
  /** The commit that was made; null without one. */
  commit: string | null;
  /** The tree of the branch. */
  tree: string;
  /** The commit that was merged, picked or reverted. */
  from: string;
  /** The same `old` and `new` if the branch had the commit already. */
  ref: RefChange;
}

export interface RefListResult {
  /** Sorted bytewise by name. */
  refs: Ref[];
  /** Cursor of the next page; absent on the last one. */
  cursor?: string;
}

/** A line with a match. Not a result of the public service. */
export interface SearchMatch {
  path: string;
  /** From 1. */
  line: number;
  /** Place of the first match of the line: in bytes, from 1. */
  column: number;
  /** The line without its line feed, or a part of it. */
  text: string;
  /** The first match in `text`, in UTF-16 units. */
  start: number;
  /** Exclusive. */
  end: number;
  /** True if `text` is only a part of the line. */
  clipped: boolean;
}

export interface SearchResult {
  /** The commit whose tree was searched. */
  commit: string;
  /** Sorted by path, then by line. */
  matches: SearchMatch[];
  /** Number of files and folders that were left out as too large. */
  skipped: number;
  /** True if something remains to be searched. */
  truncated: boolean;
  /** Cursor of the next page; absent on the last one. */
  cursor?: string;
}
