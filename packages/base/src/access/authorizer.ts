/** One permission in one account, or in one zone (TAG-018). */
export type Grant = AccountGrant | ZoneGrant;

export interface AccountGrant {
  readonly account: string;
  readonly zone?: never;
  /** Limits the grant to one namespace, in any case. Tagging then permits nothing (REPO-366). */
  readonly namespace?: string;
  /** Limits the grant to the repo with this id. Needs `namespace`. */
  readonly repo?: string;
  /** Id of the stored API token that has the grant, for the log. */
  readonly token?: string;
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
   *
   * @param account the account that the request is about, whose stored tokens count. Undefined: no account is known.
   */
  authorize(token: string, account?: string): Promise<readonly Grant[] | undefined>;
}
