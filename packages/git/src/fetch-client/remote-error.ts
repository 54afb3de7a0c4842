/** Failures of a fetch from a remote. */
export type RemoteErrorCode =
  /** No reply at all: name, connection or TLS. */
  | 'unreachable'
  /** A status that says the server cannot now: 5xx, 429 and the like. */
  | 'failing'
  /** It said nothing for too long. */
  | 'stalled'
  /** It took too long in all. */
  | 'timed out'
  /** A reply ended too early. */
  | 'broken off'
  /** 3xx: nothing is followed here. */
  | 'redirected'
  /** 401 or 403. */
  | 'authentication'
  /** 404 or 410. */
  | 'not found'
  /** Something answers, but not with Git's smart HTTP. */
  | 'not a remote'
  /** A repository whose ids are not SHA-1. */
  | 'object format'
  /** There is no such branch. */
  | 'branch missing'
  /** It speaks the protocol wrongly, or cannot what is needed. */
  | 'malformed'
  /** It refused in its own words. */
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
