import type { PackId, RecordedEvent } from '@packhouse/git';
import type { RepoStatus } from './repo-storage.ts';

/**
 * Namespaces and repos of one account, with everything that lists show, and the repo of each token id. Look-ups ignore
 * ASCII case of names (REPO-062), and accept any text as a name. Each method is one transaction. It
 * resolves when its change, and all that it read, is durable; except `touch`, and `reserveRepo`, whose reservation needs
 * to be durable no sooner than the next change of the repo. Times are in milliseconds since 1970.
 */
export interface Catalog {
  /** `deleting`: the namespace exists, but is being deleted (REPO-181). Adapters that delete in one step never return it. */
  createNamespace(name: string, jurisdiction: string, at: number): Promise<'created' | 'exists' | 'deleting'>;
  namespace(name: string): Promise<NamespaceRecord | undefined>;
  /** Newest first, ties by name in lower case (REPO-103). */
  namespaces(slice: Slice): Promise<readonly NamespaceRecord[]>;
  countNamespaces(): Promise<number>;
  /**
   * In the same transaction, revokes the active API tokens of the namespace and its repos (REPO-372), and deletes its
   * webhooks (REPO-375).
   */
  deleteNamespace(name: string, at: number): Promise<'deleted' | 'missing' | 'not empty' | 'deleting'>;

  /**
   * Reserves the name of a new repo, with its first token. Creates a missing namespace as `unrestricted` (REPO-102). Of
   * two calls with the same name, exactly one succeeds (REPO-112).
   */
  reserveRepo(repo: NewRepo, token: TokenLine): Promise<ReserveOutcome>;
  /** Makes the repo ready, with its content. Returns false if it was deleted meanwhile. */
  publishRepo(id: string, found?: RepoContent): Promise<boolean>;
  /**
   * Records that work on an unfinished repo is alive, see {@link Catalog.unfinished}. Changes nothing if the repo is
   * ready. Returns false if it was deleted meanwhile.
   */
  renewRepo(id: string, at: number): Promise<boolean>;
  repo(namespace: string, name: string): Promise<RepoRecord | undefined>;
  repoById(id: string): Promise<RepoRecord | undefined>;
  /** In the total order of REPO-115, ties by ascending id. A missing namespace has no repos. */
  repos(namespace: string, list: RepoList, slice: Slice): Promise<readonly RepoRecord[]>;
  countRepos(namespace: string, search: string): Promise<number>;
  /**
   * Releases the name and forgets the tokens at once. The id stays in the list of {@link Catalog.dueErasures} (REPO-116).
   * If there is no such repo, returns `remembered` if the last one of that name was deleted after `rememberedSince`
   * (REPO-117).
   *
   * @param within Ids of the only repos that may be deleted; any other counts as missing. Default: all.
   */
  deleteRepo(
    namespace: string,
    name: string,
    at: number,
    rememberedSince: number,
    within?: readonly string[],
  ): Promise<DeleteOutcome>;
  /**
   * Changes a ready repo and the `source` of its forks, in one transaction (REPO-237, REPO-238). The old name is free
   * then. The update is unsettled until {@link Catalog.settleRepo}.
   */
  updateRepo(id: string, update: RepoUpdate): Promise<UpdateOutcome>;
  /**
   * Records that the update with this revision has reached the repo's state. A no-op after a later update.
   *
   * @returns the repo as it is now; undefined if it was deleted.
   */
  settleRepo(id: string, revision: number): Promise<RepoRecord | undefined>;
  /** Returns the repos whose last update is unsettled. */
  unsettled(): Promise<readonly RepoRecord[]>;
  /** Undoes a creation that stopped half-way. The repo never existed, except that it must be erased. */
  dropRepo(id: string, at: number): Promise<DeletedRepo | undefined>;
  /** Returns repos that are not ready, and were neither reserved nor renewed since `before`. */
  unfinished(before: number): Promise<readonly RepoRecord[]>;

  /** Returns deleted repos whose erasure is due at `at`, at most 100. */
  dueErasures(at: number): Promise<readonly DeletedRepo[]>;
  /** Stores the packs in the manifest of a deleted repo, so that they are found after the manifest is gone. */
  notePacks(id: string, packs: readonly PackId[]): Promise<void>;
  /** Sets the time of the next erasure. `null`: no more; the repo is forgotten once its name need not be remembered. */
  setErasureDue(id: string, due: number | null): Promise<void>;
  /** Forgets erased repos that were deleted before `before`. */
  forgetErased(before: number): Promise<void>;

  /**
   * Records the repo of a token. Keeps only the newest `history` of the repo's expired tokens (TOKEN-011). Returns false
   * if the repo is gone.
   */
  addToken(repo: string, token: TokenLine, at: number, history: number): Promise<boolean>;
  /** Forgets tokens that their repo no longer keeps (LIM-011). Ignores unknown ids. */
  dropTokens(ids: readonly string[]): Promise<void>;
  /** Returns the repo of a token id. */
  tokenRepo(token: string): Promise<RepoRecord | undefined>;

  /**
   * Records a push that changed a ref (REPO-057, GIT-159), or the bytes of an upload. Times never go back. A no-op for a repo that is gone. A power
   * cut may undo it, since the repo's state has the same.
   */
  touch(repo: string, push: Touch): Promise<void>;
  /** Returns the bytes of all repos of the account, as of the last `touch` of each (LIM-012). */
  storedBytes(): Promise<number>;
}

/** Returns the catalog of an account, without I/O. Accounts are separate (REPO-011). */
export type Catalogs = (account: string) => Catalog;

export interface NamespaceRecord {
  /** Stored spelling. */
  readonly name: string;
  readonly jurisdiction: string;
  /** Counts repos in any state (REPO-106). */
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
  /** Id of the repo that it was forked from, which may be deleted by now; null for others. */
  readonly parentId: string | null;
  /**
   * Id of the first repo of its fork family, from which its parents came in the end. That repo, and others in between, may
   * be deleted by now. Null for a repo without a parent.
   */
  readonly rootId: string | null;
  readonly status: RepoStatus;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastPushAt: number | null;
  /** Version of the repo's state as of the last `touch`; 0 before the first. */
  readonly version: number;
  /** Number of updates so far (REPO-237). */
  readonly revision: number;
  /** Events of the last update, while it is unsettled; null once the repo's state has it. */
  readonly unsettled: readonly RecordedEvent[] | null;
}

/** A repo to reserve. A missing namespace gets the spelling of `namespace`. */
export type NewRepo = Omit<
  RepoRecord,
  'jurisdiction' | 'updatedAt' | 'lastPushAt' | 'version' | 'revision' | 'unsettled'
>;

/** An update of a repo: all changeable members with their new values. */
export interface RepoUpdate extends Pick<RepoRecord, 'name' | 'description' | 'defaultBranch' | 'readOnly'> {
  /** The revision that the update was made from. */
  readonly revision: number;
  readonly at: number;
  /** The new `source` of forks. */
  readonly forkSource: string;
  /** For the repo's state, which records them with the update. */
  readonly events: readonly RecordedEvent[];
}

export type UpdateOutcome =
  | { readonly kind: 'updated'; readonly repo: RepoRecord }
  /** Another update came first, or is unsettled. The caller begins again. */
  | { readonly kind: 'stale' }
  /** Another repo of the namespace has the name. */
  | { readonly kind: 'exists' }
  /** Deleted, or not ready. */
  | { readonly kind: 'missing' };

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

/** A deleted repo whose bytes may still exist. */
export interface DeletedRepo {
  readonly id: string;
  readonly jurisdiction: string;
  readonly deletedAt: number;
  readonly packs: readonly PackId[];
  /** Its last record; undefined if it was never ready. */
  readonly record?: RepoRecord | undefined;
}

export type DeleteOutcome =
  | { readonly kind: 'deleted' | 'remembered'; readonly repo: DeletedRepo; readonly erased: boolean }
  | { readonly kind: 'missing' };

export type RepoSort = 'created_at' | 'updated_at' | 'last_push_at' | 'name';
export type Direction = 'asc' | 'desc';

export interface RepoList {
  /** Selects names that contain it, ignoring ASCII case (REPO-114). Empty: all names. */
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
 * Place of a row in the order of a list: the value by which it is sorted (a time, -1 without one, or a name in lower
 * case), and the value that decides ties (the id of a repo, or the name of a namespace in lower case).
 */
export interface Place {
  readonly key: number | string;
  readonly tie: string;
}

/** Content of a repo that becomes ready. */
export interface RepoContent {
  readonly defaultBranch: string;
  readonly at: number;
  /** The same as in {@link Touch}. */
  readonly bytes: number;
  readonly version: number;
}

/** A push or an upload that was committed. */
export interface Touch {
  /** Null for an upload, which is not a push (REPO-257): times stay. */
  readonly pushedAt: number | null;
  /** Bytes of the repo at that `version` of its state. An older version than the recorded one changes no sum. */
  readonly bytes: number;
  readonly version: number;
}
