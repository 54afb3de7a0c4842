/** Failures of a fetch from a remote. */
export type RemoteErrorCode =
  /** No reply at all, because of name lookup, connection or TLS. */
  | 'unreachable'
  /** A status for a temporary failure: 5xx, 429 and the like. */
  | 'failing'
  /** The remote was silent for too long. */
  | 'stalled'
  /** The import took too long in total. */
  | 'timed out'
  /** A reply ended too early. */
  | 'broken off'
  /** A redirect (3xx), which is not followed here. */
  | 'redirected'
  /** 401 or 403. */
  | 'authentication'
  /** 404 or 410. */
  | 'not found'
  /** A server replies, but not with Git's smart HTTP. */
  | 'not a remote'
  /** A repository whose ids are not SHA-1. */
  | 'object format'
  /** The branch does not exist. */
  | 'branch missing'
  /** The remote violates the protocol, or lacks a required feature. */
  | 'malformed'
  /** The remote refused with its own text. */
  | 'refused'
  /** A pack that fails the checks of `git.md` section 9. */
  | 'bad pack'
  /** More than may be stored, or than there is memory for. */
  | 'too large'
  /** The caller cancelled the import. */
  | 'cancelled';

export interface RemoteErrorDetails {
  /** HTTP status, if the reply was the problem. */
  readonly status?: number;
  /** New place of a `redirected` repository; absent if unknown or not to be followed. */
  readonly location?: URL | undefined;
  readonly cause?: unknown;
}

/**
 * Why nothing came of fetching from a remote. The message is for logs: it may hold a few words of the remote, and never
 * a URL.
 */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly code: RemoteErrorCode;
  readonly status: number | undefined;
  readonly location: URL | undefined;

  constructor(code: RemoteErrorCode, message: string, details: RemoteErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.location = details.location;
  }
}
