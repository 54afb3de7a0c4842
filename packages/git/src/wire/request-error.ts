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

/** A well-framed request of upload-pack that cannot be served: 200 with one packet (GIT-017). */
export class RequestRefusedError extends Error {
  override readonly name = 'RequestRefusedError';
  /** What is told, one line. */
  readonly text: string;
  /** Whether the request asked for `sideband-all`: then the text comes in band 3, else after `ERR `. */
  readonly sidebandAll: boolean;

  constructor(text: string, sidebandAll = false) {
    super(text);
    this.text = text;
    this.sidebandAll = sidebandAll;
  }
}

/** The error of a request that asked for `sideband-all`: a refusal is then told in band 3. */
export function refusedInBand(error: unknown): unknown {
  return error instanceof RequestRefusedError ? new RequestRefusedError(error.text, true) : error;
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
