/** Problem details that a client received (RFC 9457 §3.1), without members of the wrong type. */
export interface Problem {
  /** URI of the problem type, absolute if the base URL is known; `about:blank` if missing. */
  readonly type: string;
  readonly title?: string;
  /** 100 to 599, as stated in the body; the actual status of the reply may differ. */
  readonly status?: number;
  readonly detail?: string;
  readonly instance?: string;
  /** Extension members (RFC 9457 §3.2), unchecked. */
  readonly [member: string]: unknown;
}
