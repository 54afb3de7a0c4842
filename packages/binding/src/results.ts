/** Metadata of a repository; times are ISO 8601 in UTC. */
export interface RepoInfo {
  /** Unpredictable, and never used again. */
  id: string;
  name: string;
  description: string | null;
  /** Name of a branch, such as `main`, which need not exist. */
  defaultBranch: string;
  createdAt: string;
  updatedAt: string;
  /** Null until the first push that changes a ref. */
  lastPushAt: string | null;
  /** What it was forked or imported from; null if it was created. */
  source: string | null;
  readOnly: boolean;
  /** URL for Git. */
  remote: string;
}

/** A repository that was just made. */
export interface CreateRepoResult {
  id: string;
  name: string;
  description: string | null;
  defaultBranch: string;
  remote: string;
  /** Plaintext of a token of scope `write`, which is shown here and never again. */
  token: string;
}

/** One entry of a list: `remote` is not told, `status` is (BIND-046). */
export interface RepoListItem extends Omit<RepoInfo, 'remote'> {
  status: 'ready' | 'creating' | 'importing' | 'forking';
}

export interface RepoListResult {
  /** Newest first. */
  repos: RepoListItem[];
  /** Number of all repositories of the namespace. */
  total: number;
  /** Where the next page begins; absent on the last one. */
  cursor?: string;
}

export interface CreateTokenResult {
  id: string;
  /** Shown here and never again. */
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
  /** At most 1,000: active ones first, newest first in each group. */
  tokens: TokenInfo[];
  /** Number of all that are kept. */
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
  /** Whole, without the one line feed at its end. */
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
