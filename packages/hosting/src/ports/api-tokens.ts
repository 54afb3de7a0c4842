import type { TokenPermission, TokenReach } from './api-token-reach.ts';
import type { TokenList } from './repo-storage.ts';

/**
 * Stored API tokens of one account. Each method is one transaction, and resolves when its change, and all that it read,
 * is durable. Of several servers over one storage, each sees a change at once. Times are in milliseconds since 1970.
 */
export interface ApiTokenStore {
  /**
   * Adds a token, unless its creator has ended. Then drops ended tokens beyond the newest `history`, at most 1,000 in one
   * call. A token whose id is known changes nothing.
   *
   * @param limits.max Tokens of the account that may be active at once (LIM-095).
   */
  add(
    token: ApiTokenRecord,
    limits: { readonly max: number; readonly history: number },
  ): Promise<'added' | 'full' | 'creator ended'>;
  /** Finds the token with this SHA-256 of its secret, in any state. */
  find(secretHash: string): Promise<ApiTokenRecord | undefined>;
  /** Returns a part of the tokens that these reaches cover, newest first, ties by id. */
  list(list: ApiTokenList): Promise<ApiTokenPart>;
  /**
   * Revokes an active token with all tokens that it created, and so on: `revoked` now, `ended` before, or `unknown`, also
   * if no reach covers it.
   */
  revoke(id: string, at: number, within: readonly TokenReach[]): Promise<'revoked' | 'ended' | 'unknown'>;
  /** Revokes the active tokens of a repo that is gone. */
  revokeRepo(repo: string, at: number): Promise<void>;
}

/** Returns the tokens of an account, without I/O. Accounts are separate (REPO-011). */
export type ApiTokenStores = (account: string) => ApiTokenStore;

export interface ApiTokenRecord {
  readonly id: string;
  /** SHA-256 of the secret, 64 lower-case hexadecimal digits. */
  readonly secretHash: string;
  /** Chosen by the client, without control characters. */
  readonly name: string;
  readonly permissions: readonly TokenPermission[];
  /** In stored spelling; null for the whole account. */
  readonly namespace: string | null;
  /** The id of a repo in that namespace; null for all of them. */
  readonly repo: string | null;
  /** Id of the stored token that created it; null if another credential did. */
  readonly createdBy: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
}

export interface ApiTokenList extends TokenList {
  /** At least one. */
  readonly within: readonly TokenReach[];
}

export interface ApiTokenPart {
  readonly tokens: readonly ApiTokenRecord[];
  /** Number of all tokens in that state that these reaches cover. */
  readonly total: number;
}
