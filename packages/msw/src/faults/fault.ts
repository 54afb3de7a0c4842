/** Which requests a fault is for, and how often. Without members: all requests of the mock, until it is removed. */
export interface FaultScope {
  /** Default: any. */
  readonly method?: string;
  /**
   * The path, still percent-encoded and without a query. A `*` stands for any text, as in paths of MSW, such as `*.git/*`
   * for what Git asks. Default: any.
   */
  readonly path?: string;
  /** So many requests; after them the fault is gone. Default: as long as it is there, but one for a changed page. */
  readonly times?: number;
}

/** The platform in front of the service answers, with an error of its catalogue (`docs/errors.md`). */
export interface PlatformErrorFault extends FaultScope {
  readonly kind: 'platform error';
  /** A code of the catalogue, such as 522 or 1015. */
  readonly code: number;
  /** Seconds. Default: that of the catalogue, if the code has one. */
  readonly retryAfter?: number;
}

/**
 * The service hears of the request later: after the time, or when `faults.clear()` or a reset ends the wait. Several add up.
 * Of one that is aborted meanwhile it never hears in Node; in a page, MSW does not tell who has left.
 */
export interface LatencyFault extends FaultScope {
  readonly kind: 'latency';
  readonly milliseconds: number;
}

/** The connection breaks: `fetch` rejects. */
export interface DroppedConnectionFault extends FaultScope {
  readonly kind: 'dropped connection';
  /** `reply`: the service has done what it was asked for, and only the reply is lost. Default `request`. */
  readonly lost?: 'request' | 'reply';
}

/**
 * The service answers 429 with `Retry-After`, in the form of the area that is asked, where it would count the request: what
 * it refuses before it counts (no permission, no such route) it refuses as ever. Requests without a token are not concerned.
 */
export interface RateLimitFault extends FaultScope {
  readonly kind: 'rate limit';
  /** Seconds, at least 1. */
  readonly retryAfter: number;
}

/**
 * The service does not know the credential of the request any more. Without `token` that is each, one that the client got
 * meanwhile too: name the one that expires, or say `times`.
 */
export interface ExpiredTokenFault extends FaultScope {
  readonly kind: 'expired token';
  /** Only requests with this token, an API token or that of a repo. Default: with any. */
  readonly token?: string;
}

/** What the service holds changes right after it has answered as ever: between two pages of a list. */
export interface ChangedPageFault<Content> extends FaultScope {
  readonly kind: 'changed page';
  /** What is there from then on. */
  readonly add?: Content;
  /** Repos that are gone from then on, as `name` or `namespace/name`; only in a mock that has repos. */
  readonly remove?: readonly string[];
}

/**
 * Something that goes wrong. Of those that apply to a request, all latencies do, and the first of the others that end it
 * in another way; a page changes only after a reply that no other fault has changed, lost ones included.
 */
export type Fault<Content = never> =
  | PlatformErrorFault
  | LatencyFault
  | DroppedConnectionFault
  | RateLimitFault
  | ExpiredTokenFault
  | ChangedPageFault<Content>;

/** What goes wrong in front of any service. That a reply alone is lost needs the service behind, which has done its work. */
export type PlatformFault = PlatformErrorFault | LatencyFault | Omit<DroppedConnectionFault, 'lost'> | RateLimitFault;
