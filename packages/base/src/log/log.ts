/** One line per request. Times are milliseconds; never a query, a header or a token (REPO-009). */
export interface RequestRecord {
  readonly event: 'request';
  readonly request_id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** From the request to the head of the reply; a streamed body goes on after that. */
  readonly ms: number;
  /** The account that the path or host names; null if none. */
  readonly account: string | null;
}

/** Something unexpected. Without a stack trace or a path of the host (REPO-009). */
export interface FailureRecord {
  readonly event: 'failure';
  /** Where it is nothing wrong with the service, and was to be reckoned with. Absent: an error. */
  readonly level?: 'warn';
  /** Null for work that belongs to no request. */
  readonly request_id: string | null;
  /** Class of the error, and its `code` if it has one. */
  readonly error: string;
  readonly code: string | null;
  readonly message: string;
}

export type LogRecord = RequestRecord | FailureRecord;

/** Where records go. Must not throw. */
export type Log = (record: LogRecord) => void;

/** Receives an unexpected failure with the id of its request, or null for work that belongs to no request. */
export type Failed = (error: unknown, requestId: string | null) => void;
