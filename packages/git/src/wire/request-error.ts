/** A request whose framing is broken: 400 with `Malformed request: <reason>` (GIT-016). */
export class MalformedRequestError extends Error {
  override readonly name = 'MalformedRequestError';
  /** What is wrong, in a few words; nothing of the request is repeated. */
  readonly reason: string;

  constructor(reason: string) {
    super(`Malformed request: ${reason}`);
    this.reason = reason;
  }
}

/** A well-framed request of upload-pack that cannot be served: 200 with one packet `ERR <text>` (GIT-017). */
export class RequestRefusedError extends Error {
  override readonly name = 'RequestRefusedError';
  /** What follows `ERR `, one line. */
  readonly text: string;

  constructor(text: string) {
    super(text);
    this.text = text;
  }
}

/** A body that grew over its limit while it was read: 413 (GIT-164). */
export class RequestTooLargeError extends Error {
  override readonly name = 'RequestTooLargeError';
  /** Bytes, after gzip decoding (LIM-052, LIM-057). */
  readonly limit: number;

  constructor(limit: number) {
    super(`The request is larger than ${limit} bytes`);
    this.limit = limit;
  }
}
