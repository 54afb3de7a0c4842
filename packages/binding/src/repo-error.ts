/** The codes of binding errors, and the numbers that REST has for them (BIND-085 to BIND-097). */
export const repoErrorCodes = {
  INVALID_INPUT: 10100,
  INVALID_REPO_NAME: 10101,
  INVALID_TTL: 10103,
  INVALID_URL: 10104,
  REMOTE_AUTH_REQUIRED: 10106,
  NOT_FOUND: 10200,
  ALREADY_EXISTS: 10201,
  CREATE_IN_PROGRESS: 10301,
  IMPORT_IN_PROGRESS: 10302,
  FORK_IN_PROGRESS: 10303,
  INTERNAL_ERROR: 10400,
  UPSTREAM_UNAVAILABLE: 10401,
  MEMORY_LIMIT: 10402,
} as const;

export type RepoErrorCode = keyof typeof repoErrorCodes;

/**
 * What the methods of a binding reject with (BIND-080). `name`, `code` and `numericCode` are properties of its own and
 * enumerable, so that they go over RPC (BIND-081).
 */
export class RepoError extends Error {
  /** `RepoError`, or what the dialect of the service calls it (REPO-025). */
  override readonly name: string;
  readonly code: RepoErrorCode;
  readonly numericCode: number;

  /**
   * @param message One sentence that says by itself what happened.
   * @param name Default `RepoError`.
   */
  constructor(code: RepoErrorCode, message: string, name = 'RepoError') {
    super(message);
    this.name = name;
    this.code = code;
    this.numericCode = repoErrorCodes[code];
  }
}
