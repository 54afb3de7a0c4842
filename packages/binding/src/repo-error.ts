import { errorAdvice, repoErrors, type RepoErrorKind } from '@packhouse/base';
import { repoErrorCodes, type RepoErrorCode } from './repo-error-code.ts';

/** The usual case of each code. */
const usualKinds: Readonly<Record<RepoErrorCode, RepoErrorKind>> = {
  INVALID_INPUT: 'invalidInput',
  INVALID_REPO_NAME: 'invalidRepoName',
  INVALID_TTL: 'invalidTtl',
  INVALID_URL: 'invalidUrl',
  REMOTE_AUTH_REQUIRED: 'remoteAuthRequired',
  NOT_FOUND: 'repoNotFound',
  ALREADY_EXISTS: 'repoExists',
  READ_ONLY: 'readOnlyRepo',
  STALE_REF: 'staleRef',
  REF_REFUSED: 'refRefused',
  MERGE_CONFLICT: 'mergeConflict',
  CREATE_IN_PROGRESS: 'creating',
  IMPORT_IN_PROGRESS: 'importing',
  FORK_IN_PROGRESS: 'forking',
  INTERNAL_ERROR: 'internal',
  UPSTREAM_UNAVAILABLE: 'upstreamUnavailable',
  MEMORY_LIMIT: 'memoryLimit',
};

/**
 * The error of binding methods (BIND-080). Its members are own enumerable properties, so that RPC transmits them
 * (BIND-081).
 */
export class RepoError extends Error {
  /** `RepoError`, or the name in the dialect of the service (REPO-025). */
  override readonly name: string;
  readonly code: RepoErrorCode;
  readonly numericCode: number;
  /** The case in snake_case, such as `ref_not_found`: one code has several (BIND-114). */
  readonly reason: string;
  /** True if the call changed nothing and may succeed later as it is (BIND-114). */
  readonly retryable: boolean;
  /** Advice on the next step: one sentence (BIND-114). */
  readonly hint: string;
  /**
   * Data for programs: `{ head }` with `STALE_REF`, the current value of the ref or null (BIND-098); `{ conflicts,
   * truncated }` with `MERGE_CONFLICT` (BIND-111).
   */
  declare readonly details?: Readonly<Record<string, unknown>>;

  /**
   * @param message A sentence that explains the error by itself.
   * @param name Default `RepoError`.
   * @param kind The case. Default: the usual one of the code.
   * @param details Default: none.
   */
  constructor(
    code: RepoErrorCode,
    message: string,
    name = 'RepoError',
    kind: RepoErrorKind = usualKinds[code],
    details?: RepoError['details'],
  ) {
    super(message);
    this.name = name;
    this.code = code;
    this.numericCode = repoErrorCodes[code];
    const { reason, retryable, hint } = errorAdvice(repoErrors[kind]);
    this.reason = reason;
    this.retryable = retryable;
    this.hint = hint;
    if (details !== undefined) this.details = details;
  }
}
