import type { PackId, PackStore, PreparedRecords, RecordedEvent, RepoSnapshot, RepoState } from '@packhouse/git';
import type { TokenState } from './token-state.ts';
import type { Outbox } from './outbox.ts';
import type { WebhookList, WebhookQueue } from './webhooks.ts';

/**
 * One repository apart from its record in the catalog. Git state and tokens are in one place, so that a Git request
 * visits no other.
 */
export interface HostedRepo {
  readonly id: string;
  readonly state: HostedRepoState;
  readonly packs: PackStore;
  /** Records of its prepared packs that other processes read too. Default: those of the engine. */
  readonly prepared?: PreparedRecords;
}

/** Opens the storage of a repository by its id, without I/O. Its bytes stay within its `jurisdiction` (REPO-101). */
export interface RepoStorage {
  /**
   * True if {@link HostedRepoState.open} applies `rate_git` to each repository (LIM-053), for services of several
   * processes. Default: each process counts separately.
   */
  readonly countsRequests?: boolean;
  repo(account: string, id: string, jurisdiction: string): HostedRepo;
  /**
   * Opens the webhooks of a namespace, without I/O. Its repositories feed them from the moment when the change of the
   * list resolves. Default: namespaces have no webhooks.
   */
  namespaceWebhooks?(account: string, namespace: string): WebhookList;
  /**
   * Makes packs in the store of `from` also readable in `to`, with the same ids and without writing their bytes again
   * (REPO-124). Durable on return. Each repository removes its packs separately; bytes stay as long as one of them has
   * the pack (REPO-123). Until a commit of `to` adds the packs to its manifest, they are among {@link
   * PackStore.leftovers} of `to`, so that a fork that fails leaves nothing. Idempotent.
   *
   * @returns false if `from` was deleted, or one of the packs is no longer in its manifest with bytes in the store. The
   * caller then takes a new snapshot. Packs that were shared before that are left over.
   * @throws {RepoGoneError} if `to` was deleted, if the storage knows that.
   * @throws {StorageError} if the storage fails.
   * @throws {RangeError} if `from` and `to` are the same, or in different jurisdictions.
   */
  sharePacks(account: string, from: RepoPlace, to: RepoPlace, ids: readonly PackId[]): Promise<boolean>;
}

/** Id and jurisdiction of a repository, for {@link RepoStorage.repo}. */
export interface RepoPlace {
  readonly id: string;
  readonly jurisdiction: string;
}

export type TokenScope = 'read' | 'write';

/** A stored repo token, with the SHA-256 of its secret (TOKEN-003). Times are milliseconds since 1970. */
export interface TokenRecord {
  readonly id: string;
  /** SHA-256 of the secret, 64 lower-case hexadecimal digits. */
  readonly secretHash: string;
  readonly scope: TokenScope;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
}

export interface TokenList {
  readonly state: TokenState | 'all';
  /** The time at which expiry is judged, in milliseconds since 1970. */
  readonly at: number;
  /** At least 1. */
  readonly limit: number;
  readonly offset: number;
}

export interface TokenPart {
  readonly tokens: readonly TokenRecord[];
  /** Number of all tokens in that state. */
  readonly total: number;
}

/** Time of the last push in milliseconds since 1970, and the current version of the state, not older than the push. */
export interface LastPush {
  readonly at: number;
  readonly version: number;
}

export type RepoStatus = 'ready' | 'creating' | 'importing' | 'forking';

/** Part of a repository's record in its state. The catalog decides updates of it (REPO-237). */
export interface RepoHead {
  readonly account: string;
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly defaultBranch: string;
  readonly readOnly: boolean;
  readonly status: RepoStatus;
}

/** An update that the catalog has decided, for the repository's state. */
export interface HeadUpdate extends Pick<RepoHead, 'name' | 'defaultBranch' | 'readOnly'> {
  /** Number of the update, see `RepoRecord.revision`. */
  readonly revision: number;
  readonly events: readonly RecordedEvent[];
}

/** A snapshot with more facts. Its version also grows with the name. */
export interface HostedSnapshot extends RepoSnapshot {
  /** Name of the repository, so that a caller with a cached id learns of a new name (REPO-238). */
  readonly name: string;
  /** Number of refs, including hidden ones. */
  readonly refCount: number;
}

/** Result of {@link HostedRepoState.open}: everything that a Git request needs, in one visit. */
export type OpenedRepo =
  /** Deleted, or never begun. */
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'open';
      readonly head: RepoHead;
      /** The token with that hash, in any state; undefined if it does not exist. */
      readonly token: TokenRecord | undefined;
      readonly version: number;
      /** Absent if `known` is the current version, or no token was found with a hash. */
      readonly snapshot: HostedSnapshot | undefined;
      /** Names of the events that active webhooks get, as {@link WebhookQueue.wantedEvents} returns. */
      readonly wanted: readonly string[];
      /** Seconds to wait, if {@link RepoStorage.countsRequests} and the request of an active token or without a hash exceeds the rate. */
      readonly retryAfter?: number;
    };

/**
 * State of a repository, with its tokens, events and webhooks. Once the repository is erased, all methods throw `RepoGoneError`,
 * except `begin`, `erase`, `forget` and the delivery of events ({@link Outbox}, {@link WebhookQueue}); `open` returns `gone`. An event that is
 * passed with a change is recorded in its transaction, if something changes (REPO-190).
 */
export interface HostedRepoState extends RepoState, Outbox, WebhookQueue {
  snapshot(known?: number): Promise<HostedSnapshot | undefined>;
  /**
   * Creates the empty state, with held events. Idempotent by repo id; a no-op for an erased repository. A `ready` state
   * needs to be durable no sooner than its repo is published.
   */
  begin(head: RepoHead, firstToken: TokenRecord, events?: readonly RecordedEvent[]): Promise<void>;
  /**
   * Sets the status.
   *
   * @param defaultBranch The new default branch, which an import found (REPO-130). Default: no change.
   * @param events Recorded and held, before those that are already held.
   */
  setStatus(status: RepoStatus, defaultBranch?: string, events?: readonly RecordedEvent[]): Promise<void>;
  /**
   * Applies an update with its events, in one transaction; HEAD follows the default branch. A no-op if the state has
   * this update or a later one.
   */
  updateHead(update: HeadUpdate): Promise<void>;
  /**
   * Opens the repository for a Git request.
   *
   * @param secretHash SHA-256 of the secret of its token. Null: the caller has a stored API token, so no token is read.
   * @param known Version of the snapshot that the caller has.
   */
  open(secretHash: string | null, known?: number): Promise<OpenedRepo>;
  /**
   * Adds a token, and drops ended tokens beyond the newest `history` (TOKEN-011), at most 1,000 in one call. `at` is the
   * time at which expiry is judged. Returns the ids of dropped tokens.
   */
  addToken(token: TokenRecord, at: number, history: number, event?: RecordedEvent): Promise<readonly string[]>;
  /** Returns a part of the tokens, newest first, ties by id (TOKEN-010). */
  tokens(list: TokenList): Promise<TokenPart>;
  /** Returns the id of the token with this hash of its secret, in any state; undefined if it does not exist. */
  tokenId(secretHash: string): Promise<string | undefined>;
  /** Revokes an active token (TOKEN-012): `revoked` now, `ended` before, or `unknown`. */
  revokeToken(id: string, at: number, event?: RecordedEvent): Promise<'revoked' | 'ended' | 'unknown'>;
  /** Returns the bytes of all files of the packs in the manifest (LIM-050, GIT-166). */
  storedBytes(): Promise<number>;
  /**
   * Returns the last push that changed something, as recorded in its transaction; undefined before the first one. If a
   * process died before the catalog had it, the catalog is repaired from here (GIT-159).
   */
  lastPush(): Promise<LastPush | undefined>;
  /**
   * Forgets refs, tokens and manifest for good (REPO-116). The caller removes the packs afterwards. Idempotent. The erased
   * id and waiting events stay until {@link HostedRepoState.forget}.
   *
   * @param event Recorded in the same transaction, unless the repository was erased before; held events are released.
   *   Without it, held events and all behind them are dropped, as if the repository had never existed.
   */
  erase(event?: RecordedEvent): Promise<void>;
  /**
   * Forgets an erased repository completely. Call it when no `begin` of it can still run. A no-op if it is alive, or if
   * events wait for delivery.
   *
   * @param isUnheard True if there is no listener, so that waiting events are dropped, too. Default: false.
   * @returns false if events wait, also those for webhooks.
   */
  forget(isUnheard?: boolean): Promise<boolean>;
}
