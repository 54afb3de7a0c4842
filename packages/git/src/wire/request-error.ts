/** A request whose framing is broken: 400 with `Malformed request: <reason>` (GIT-016). */
export class MalformedRequestError extends Error {
  override readonly name = 'MalformedRequestError';
  /** The fault in a few words, without text of the request. */
  readonly reason: string;

  constructor(reason: string) {
    super(`Malformed request: ${reason}`);
    this.reason = reason;
  }
}

/** A well-framed request of upload-pack that cannot be served: 200 with one packet (GIT-017). */
export class RequestRefusedError extends Error {
  override readonly name = 'RequestRefusedError';
  /** One line of text for the client. */
  readonly text: string;
  /** True if the request had `sideband-all`: then the text is sent in band 3, else after `ERR `. */
  readonly sidebandAll: boolean;

  constructor(text: string, sidebandAll = false) {
    super(text);
    this.text = text;
    this.sidebandAll = sidebandAll;
  }
}

/** Marks the error of a request with `sideband-all`, so that a refusal is sent in band 3. */
export function refusedInBand(error: unknown): unknown {
  return error instanceof RequestRefusedError ? new RequestRefusedError(error.text, true) : error;
}

/** A body that exceeded its limit while it was read: 413 (GIT-164). */
export class RequestTooLargeError extends Error {
  override readonly name = 'RequestTooLargeError';
  /** The limit in bytes, after gzip decoding (LIM-052, LIM-057). */
  readonly limit: number;

  constructor(limit: number) {
    super(`The request is larger than ${limit} bytes`);
    this.limit = limit;
  }
}
