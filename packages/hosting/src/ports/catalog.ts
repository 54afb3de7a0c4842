import type { PackId } from '@packhouse/git';
import type { RepoStatus } from './repo-storage.ts';

/**
 * What one account holds: its namespaces, a line for every repo with all that lists show, and which repo a token id
 * belongs to. Names are looked up ignoring ASCII case everywhere (REPO-062). Each method is one durable transaction.
 * Times are milliseconds since 1970. Names passed in for look-up may be any text.
 */
export interface Catalog {
  /** `deleting`: it exists, and a deletion of it is running (REPO-181; adapters that delete in one step never say it). */
  createNamespace(name: string, jurisdiction: string, at: number): Promise<'created' | 'exists' | 'deleting'>;
  namespace(name: string): Promise<NamespaceRecord | undefined>;
  /** Newest first, ties by name in lower case (REPO-103). */
  namespaces(slice: Slice): Promise<readonly NamespaceRecord[]>;
  countNamespaces(): Promise<number>;
  deleteNamespace(name: string): Promise<'deleted' | 'missing' | 'not empty' | 'deleting'>;

  /**
   * Takes the name for a repo that is about to begin, with its first token, and makes the namespace if it is missing
   * (REPO-102, with `unrestricted`). Of two calls with one name exactly one gets it (REPO-112).
   */
  reserveRepo(repo: NewRepo, token: TokenLine): Promise<ReserveOutcome>;
  /** The repo is usable from now on, with what was put into it. False if it was deleted meanwhile. */
  publishRepo(id: string, found?: RepoContent): Promise<boolean>;
  /**
   * A sign of life of the work that makes a repo: see {@link Catalog.unfinished}. Changes nothing of one that is ready.
   * False if it was deleted meanwhile.
   */
  renewRepo(id: string, at: number): Promise<boolean>;
  repo(namespace: string, name: string): Promise<RepoRecord | undefined>;
  repoById(id: string): Promise<RepoRecord | undefined>;
  /** In the total order of REPO-115, ties by ascending id. A missing namespace has no repos. */
  repos(namespace: string, list: RepoList, slice: Slice): Promise<readonly RepoRecord[]>;
  countRepos(namespace: string, search: string): Promise<number>;
  /**
   * Frees the name and forgets the tokens at once; the id stays on the list of {@link Catalog.dueErasures}
   * (REPO-116). Without such a repo: `remembered` if the last one of that name was deleted after `rememberedSince`
   * (REPO-117).
   */
  deleteRepo(namespace: string, name: string, at: number, rememberedSince: number): Promise<DeleteOutcome>;
  /** Undoes a creation that stopped half-way: as if the repo had never been, but for the erasure. */
  dropRepo(id: string, at: number): Promise<DeletedRepo | undefined>;
  /** Repos that are not ready, and were neither reserved nor renewed since `before`. */
  unfinished(before: number): Promise<readonly RepoRecord[]>;

  /** Deleted repos whose bytes are to be erased by now, at most 100. */
  dueErasures(at: number): Promise<readonly DeletedRepo[]>;
  /** Keeps what the manifest of a deleted repo named, so that its packs are found after the manifest is gone. */
  notePacks(id: string, packs: readonly PackId[]): Promise<void>;
  /** When to erase again; `null`: never, and forget the repo once its name need not be remembered. */
  setErasureDue(id: string, due: number | null): Promise<void>;
  /** Forgets erased repos that were deleted before `before`. */
  forgetErased(before: number): Promise<void>;

  /**
   * Notes whose token it is. Of the repo's expired tokens only the newest `history` are kept (TOKEN-011).
   * False if the repo is gone.
   */
  addToken(repo: string, token: TokenLine, at: number, history: number): Promise<boolean>;
  /** Forgets tokens that their repo no longer keeps (LIM-011). Ids that are unknown do no harm. */
  dropTokens(ids: readonly string[]): Promise<void>;
  /** The repo that a token id belongs to. */
  tokenRepo(token: string): Promise<RepoRecord | undefined>;

  /** After a push that changed a ref (REPO-057, GIT-159). Times never go back. Does nothing for a repo that is gone. */
  touch(repo: string, push: Touch): Promise<void>;
  /** Bytes that all repos of the account hold, as the last `touch` of each told (LIM-012). */
  storedBytes(): Promise<number>;
}

/** Gives the catalog of an account; does no I/O itself. Accounts never meet (REPO-011). */
export type Catalogs = (account: string) => Catalog;

export interface NamespaceRecord {
  /** Stored spelling. */
  readonly name: string;
  readonly jurisdiction: string;
  /** In every state (REPO-106). */
  readonly repoCount: number;
  readonly createdAt: number;
  /** Changes when `repoCount` does. */
  readonly updatedAt: number;
}

export interface RepoRecord {
  readonly id: string;
  /** Stored spelling. */
  readonly namespace: string;
  readonly jurisdiction: string;
  readonly name: string;
  readonly description: string | null;
  readonly defaultBranch: string;
  readonly readOnly: boolean;
  readonly source: string | null;
  readonly status: RepoStatus;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastPushAt: number | null;
  /** That of the repo's state as the last `touch` told; 0 before the first. */
  readonly version: number;
}

/** `namespace` in the spelling to store if the namespace is missing. */
export type NewRepo = Omit<RepoRecord, 'jurisdiction' | 'updatedAt' | 'lastPushAt' | 'version'>;

export interface TokenLine {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export type ReserveOutcome =
  | { readonly kind: 'reserved'; readonly repo: RepoRecord }
  | { readonly kind: 'exists' }
  /** The namespace is being deleted (REPO-181). */
  | { readonly kind: 'deleting' };

/** A repo that is gone but for its bytes. */
export interface DeletedRepo {
  readonly id: string;
  readonly jurisdiction: string;
  readonly deletedAt: number;
  readonly packs: readonly PackId[];
  /** As it was; undefined if it was never ready. */
  readonly record?: RepoRecord | undefined;
}

export type DeleteOutcome =
  | { readonly kind: 'deleted' | 'remembered'; readonly repo: DeletedRepo; readonly erased: boolean }
  | { readonly kind: 'missing' };

export type RepoSort = 'created_at' | 'updated_at' | 'last_push_at' | 'name';
export type Direction = 'asc' | 'desc';

export interface RepoList {
  /** Keeps names that contain it, ignoring ASCII case (REPO-114). Empty: all. */
  readonly search: string;
  readonly sort: RepoSort;
  readonly direction: Direction;
}

/** A part of a list: the rows after a place in its order, or from an offset. */
export interface Slice {
  /** At least 1. */
  readonly limit: number;
  readonly after?: Place;
  /** Ignored with `after`. */
  readonly offset?: number;
}

/**
 * Where a row stands: the value it is sorted by (a time, -1 for none, or a name in lower case), then what decides
 * ties (the id of a repo, the name of a namespace in lower case).
 */
export interface Place {
  readonly key: number | string;
  readonly tie: string;
}

/** What a repo has when it becomes ready. */
export interface RepoContent {
  readonly defaultBranch: string;
  readonly at: number;
  /** As of {@link Touch}. */
  readonly bytes: number;
  readonly version: number;
}

/** A push that was committed. */
export interface Touch {
  readonly pushedAt: number;
  /** What the repo holds now, in bytes, and the version of its state that says so: an older one changes no sum. */
  readonly bytes: number;
  readonly version: number;
}
