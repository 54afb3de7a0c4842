import type { PackId, PackStore, RecordedEvent, RepoSnapshot, RepoState } from '@packhouse/git';
import type { TokenState } from './token-state.ts';
import type { Outbox } from './outbox.ts';

/**
 * What is kept of one repository, apart from the line the catalog holds of it: its Git state and its tokens, in one
 * place, so that a Git request visits nothing else.
 */
export interface HostedRepo {
  readonly id: string;
  readonly state: HostedRepoState;
  readonly packs: PackStore;
}

/** Opens the storage of a repository by its id; does no I/O itself. `jurisdiction` binds where its bytes may lie (REPO-101). */
export interface RepoStorage {
  /**
   * Whether {@link HostedRepoState.open} itself holds each repository to `rate_git` (LIM-053), for services of several
   * processes. Default: each process counts for itself.
   */
  readonly countsRequests?: boolean;
  repo(account: string, id: string, jurisdiction: string): HostedRepo;
  /**
   * Makes packs that lie in the store of `from` readable in `to` too, under the same ids, without writing a byte of
   * them anew (REPO-124); durable when resolved. Each side removes packs for itself, and the bytes live as long as either
   * has them (REPO-123). At once they count as packs that `to` has begun: until a commit of `to` adds them to its
   * manifest they are among {@link PackStore.leftovers}, so that a fork that dies leaves nothing. Idempotent.
   *
   * @returns false if one of them is no longer in the manifest of `from` with its bytes in the store, or `from` was
   * deleted: the caller takes a new snapshot. What was shared by then is left over.
   * @throws {RepoGoneError} if `to` was deleted, where the storage knows.
   * @throws {StorageError} if the storage fails.
   * @throws {RangeError} for one repository as both, or for two of different jurisdictions: bytes stay within theirs.
   */
  sharePacks(account: string, from: RepoPlace, to: RepoPlace, ids: readonly PackId[]): Promise<boolean>;
}

/** Which repository of an account is meant, and where its bytes may lie: what {@link RepoStorage.repo} takes. */
export interface RepoPlace {
  readonly id: string;
  readonly jurisdiction: string;
}

export type TokenScope = 'read' | 'write';

/** A repo token as it is kept: of the secret only its SHA-256 (TOKEN-003). Times are milliseconds since 1970. */
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
  /** Milliseconds since 1970: decides what has expired. */
  readonly at: number;
  /** At least 1. */
  readonly limit: number;
  readonly offset: number;
}

export interface TokenPart {
  readonly tokens: readonly TokenRecord[];
  /** How many there are in that state. */
  readonly total: number;
}

/** `at`: milliseconds since 1970; `version`: that of the state now, which is at least that of the push. */
export interface LastPush {
  readonly at: number;
  readonly version: number;
}

export type RepoStatus = 'ready' | 'creating' | 'importing' | 'forking';

/** What a repository's own state knows of its record; fixed at creation but for the status (REPO-182), and the
 * default branch of an import (REPO-130). */
export interface RepoHead {
  readonly account: string;
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly defaultBranch: string;
  readonly readOnly: boolean;
  readonly status: RepoStatus;
}

/** The answer to {@link HostedRepoState.open}: all that a Git request needs, in one visit. */
export type OpenedRepo =
  /** Deleted, or never begun. */
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'open';
      readonly head: RepoHead;
      /** The token with that hash, in whatever state; undefined if there is none. */
      readonly token: TokenRecord | undefined;
      readonly version: number;
      /** Absent if `known` is the current version, or no token was found. */
      readonly snapshot: RepoSnapshot | undefined;
      /** With {@link RepoStorage.countsRequests}, and an active token, above the rate: seconds until one may try again. */
      readonly retryAfter?: number;
    };

/**
 * All methods throw `RepoGoneError` once the repository is erased, but for `begin`, `erase`, `forget` and those that deliver events
 * ({@link Outbox}); `open` answers `gone`. An event that is passed with a change is recorded in the transaction of that
 * change, if it changes something (REPO-190).
 */
export interface HostedRepoState extends RepoState, Outbox {
  /** Makes the empty state, with events that are held. Idempotent by repo id; does nothing for one that was erased. */
  begin(head: RepoHead, firstToken: TokenRecord, events?: readonly RecordedEvent[]): Promise<void>;
  /**
   * `defaultBranch`: what it is from now on, as an import has found it (REPO-130). Default: as before. `events` are
   * recorded, held, in front of what is held already.
   */
  setStatus(status: RepoStatus, defaultBranch?: string, events?: readonly RecordedEvent[]): Promise<void>;
  /** One visit for a Git request. `known`: the version of the snapshot that the caller holds. */
  open(secretHash: string, known?: number): Promise<OpenedRepo>;
  /**
   * Adds a token and drops ended ones beyond the newest `history` (TOKEN-011; `at` decides what has ended), at most
   * 1,000 in one call. Answers the ids of those it dropped.
   */
  addToken(token: TokenRecord, at: number, history: number, event?: RecordedEvent): Promise<readonly string[]>;
  /** A part of the tokens, newest first, ties by id (TOKEN-010). */
  tokens(list: TokenList): Promise<TokenPart>;
  /** The id of the token with this hash of its secret, in whatever state; undefined if there is none. */
  tokenId(secretHash: string): Promise<string | undefined>;
  /** Revokes an active token (TOKEN-012): `revoked` now, `ended` before, or `unknown`. */
  revokeToken(id: string, at: number, event?: RecordedEvent): Promise<'revoked' | 'ended' | 'unknown'>;
  /** Bytes of all files of the packs in the manifest (LIM-050, GIT-166). */
  storedBytes(): Promise<number>;
  /**
   * The last push that changed something, from the very transaction that changed it; undefined before the first one.
   * What the catalog missed when a process died is repaired from here (GIT-159).
   */
  lastPush(): Promise<LastPush | undefined>;
  /**
   * Forgets refs, tokens and manifest for good (REPO-116). The packs are removed by the caller afterwards. Idempotent.
   * That the id was erased is remembered until {@link HostedRepoState.forget}, and so are events that wait.
   *
   * @param event recorded in the same transaction, unless it was erased before; frees what was held. Without one, what
   *   was held is dropped with all behind it: the repository has never been.
   */
  erase(event?: RecordedEvent): Promise<void>;
  /**
   * Forgets an erased repository altogether: to be called when no `begin` of it can still be under way. Does nothing to
   * one that is alive, or of which events wait to be delivered.
   *
   * @param isUnheard nobody listens: events that wait go, too. Default: false.
   * @returns false if events wait.
   */
  forget(isUnheard?: boolean): Promise<boolean>;
}
