/** Problem details as a client got them (RFC 9457 §3.1), without the members that had another type. */
export interface Problem {
  /** URI of the kind of problem, absolute where the base was known; `about:blank` if none was given. */
  readonly type: string;
  readonly title?: string;
  /** 100 to 599; what the server says, not what the reply had. */
  readonly status?: number;
  readonly detail?: string;
  readonly instance?: string;
  /** Extension members (RFC 9457 §3.2), as they came. */
  readonly [member: string]: unknown;
}
