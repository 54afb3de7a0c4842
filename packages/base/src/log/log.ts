/** One line per request. Times are in milliseconds. It never has a query, a header or a token (REPO-009). */
export interface RequestRecord {
  readonly event: 'request';
  readonly request_id: string;
  readonly method: string;
  readonly path: string;
  /** The id of the operation, or the part of the service that answered: one of a fixed set (REPO-341). */
  readonly operation: string;
  readonly status: number;
  /** Time from the request to the head of the reply; a streamed body may take longer. */
  readonly ms: number;
  /** The account in the path or host; null without one. */
  readonly account: string | null;
  /** Id of the stored API token of the request, once it was accepted. Absent for any other credential. */
  readonly token?: string;
}

/** An unexpected failure, without stack trace or path of the host (REPO-009). */
export interface FailureRecord {
  readonly event: 'failure';
  /** `warn` if the failure was foreseen and nothing is wrong with the service. Absent: an error. */
  readonly level?: 'warn';
  /** Null for background work. */
  readonly request_id: string | null;
  /** Class name of the error. */
  readonly error: string;
  readonly code: string | null;
  readonly message: string;
}

export type LogRecord = RequestRecord | FailureRecord;

/**
 * Receives the name of the operation of a request, one of a fixed set, as soon as it is known (REPO-341). A later call
 * has the id of the stored API token that was accepted, too (REPO-371).
 */
export type NameOperation = (operation: string, token?: string | undefined) => void;

/** Receives log records. Must not throw. */
export type Log = (record: LogRecord) => void;

/** Receives an unexpected failure with the id of its request, or null for work that belongs to no request. */
export type Failed = (error: unknown, requestId: string | null) => void;
