/**
 * The requests that a fault applies to, and how often. Without members: all requests of the mock, until the fault is
 * removed.
 */
export interface FaultScope {
  /** Default: any method. */
  readonly method?: string;
  /**
   * The path, percent-encoded and without a query. A `*` matches any text, as in paths of MSW: `*.git/*` matches the
   * requests of Git. Default: any path.
   */
  readonly path?: string;
  /** The number of requests after which the fault disappears. Default: no limit, but 1 for a changed page. */
  readonly times?: number;
}

/** The platform in front of the service answers with an error of its catalogue (`docs/errors.md`). */
export interface PlatformErrorFault extends FaultScope {
  readonly kind: 'platform error';
  /** A code of the catalogue, such as 522 or 1015. */
  readonly code: number;
  /** Seconds. Default: the value of the catalogue, if the code has one. */
  readonly retryAfter?: number;
}

/**
 * Delays a request. The service receives it after the time, or when `faults.clear()` or a reset ends the wait. Several
 * latencies add up. In Node, the service never receives a request that the client aborts meanwhile; in a page, MSW does
 * not report aborted requests.
 */
export interface LatencyFault extends FaultScope {
  readonly kind: 'latency';
  readonly milliseconds: number;
}

/** Breaks the connection: `fetch` rejects. */
export interface DroppedConnectionFault extends FaultScope {
  readonly kind: 'dropped connection';
  /** `reply`: the service handles the request, and only its reply is lost. Default: `request`. */
  readonly lost?: 'request' | 'reply';
}

/**
 * Makes the service answer 429 with `Retry-After`, in the format of the requested area. Applies where the service would
 * count the request: it still refuses earlier faults (no permission, no such route) as usual. Requests without a token
 * are not affected.
 */
export interface RateLimitFault extends FaultScope {
  readonly kind: 'rate limit';
  /** Seconds, at least 1. */
  readonly retryAfter: number;
}

/**
 * Makes the service reject the credential of a request. Without `token` this affects every token, also one that the
 * client creates meanwhile: name the token that expires, or set `times`.
 */
export interface ExpiredTokenFault extends FaultScope {
  readonly kind: 'expired token';
  /** Limits the fault to requests with this token: an API token or a repo token. Default: any token. */
  readonly token?: string;
}

/** Changes the content of the service right after it has answered normally, so between two pages of a list. */
export interface ChangedPageFault<Content> extends FaultScope {
  readonly kind: 'changed page';
  /** The content to add. */
  readonly add?: Content;
  /** The repos to remove, as `name` or `namespace/name`. Only in a mock that has repos. */
  readonly remove?: readonly string[];
}

/**
 * A simulated fault. To a request that matches several faults, all latencies apply, and the first fault of another
 * kind. A page changes only after a reply that no other fault has changed or lost.
 */
export type Fault<Content = never> =
  | PlatformErrorFault
  | LatencyFault
  | DroppedConnectionFault
  | RateLimitFault
  | ExpiredTokenFault
  | ChangedPageFault<Content>;

/**
 * A fault that needs no service. Losing only the reply is not among them, since a service must handle the request
 * first.
 */
export type PlatformFault = PlatformErrorFault | LatencyFault | Omit<DroppedConnectionFault, 'lost'> | RateLimitFault;
