/** One permission in one account, or in one zone (TAG-018). */
export type Grant = AccountGrant | ZoneGrant;

export interface AccountGrant {
  readonly account: string;
  readonly zone?: never;
  /**
   * A name of `Dialect.permissions`, where the permission to edit includes reading (REPO-030). For tagging, it is
   * `Tag Read` or `Tag Write`, or one of the single permissions `tag.read`, `tag.list` and `tag.write` (TAG-017).
   */
  readonly permission: string;
}

/** Only tagging uses zone grants. */
export interface ZoneGrant {
  readonly zone: string;
  readonly account?: never;
  readonly permission: string;
}

/** Looks up platform API tokens, the credentials of the REST control plane (REPO-030). */
export interface Authorizer {
  /**
   * Returns the grants of a token, or `undefined` if it is unknown (REPO-031). The duration of the call must not reveal
   * how many characters of a guessed token are right.
   */
  authorize(token: string): Promise<readonly Grant[] | undefined>;
}
