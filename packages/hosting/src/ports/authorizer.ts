/** One permission in one account. */
export interface Grant {
  readonly account: string;
  /** A name of `Dialect.permissions`; the one for editing includes reading (REPO-030). */
  readonly permission: string;
}

/** Knows the platform API tokens, the credentials of the REST control plane (REPO-030). */
export interface Authorizer {
  /** What a token allows; `undefined` if it is unknown (REPO-031). Must take no time that tells how much was right. */
  authorize(token: string): Promise<readonly Grant[] | undefined>;
}
