/** Why a host is looked up: a slow resolver for one purpose must not delay the other. */
export type LookupPurpose = 'import' | 'webhook';

/** How this service reaches others, for imports and webhooks. */
export interface Outbound {
  /**
   * The IP addresses of a host name, in text form, at least one.
   *
   * @throws if it has none, or that cannot be found out.
   */
  readonly lookup: (host: string, purpose: LookupPurpose) => Promise<readonly string[]>;
  /**
   * Sends a request to its URL. It follows no redirect.
   *
   * @param addresses The checked addresses of the host. The connection goes to one of them, if the runtime can choose.
   *   Undefined: any address of the host.
   */
  readonly fetch: (request: Request, addresses: readonly string[] | undefined) => Promise<Response>;
}
