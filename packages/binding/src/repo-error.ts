/** Codes of binding errors, with their numbers in REST (BIND-085 to BIND-097). */
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
 * The error of binding methods (BIND-080). `name`, `code` and `numericCode` are own enumerable properties, so that RPC
 * transmits them (BIND-081).
 */
export class RepoError extends Error {
  /** `RepoError`, or the name in the dialect of the service (REPO-025). */
  override readonly name: string;
  readonly code: RepoErrorCode;
  readonly numericCode: number;

  /**
   * @param message A sentence that explains the error by itself.
   * @param name Default `RepoError`.
   */
  constructor(code: RepoErrorCode, message: string, name = 'RepoError') {
    super(message);
    this.name = name;
    this.code = code;
    this.numericCode = repoErrorCodes[code];
  }
}
