export type RepoErrorKind =
  | 'authentication'
  | 'permission'
  | 'noRoute'
  | 'noMethod'
  | 'bodyTooLarge'
  | 'mediaType'
  | 'rate'
  | 'malformedJson'
  | 'invalidInput'
  | 'invalidRepoName'
  | 'invalidTtl'
  | 'invalidUrl'
  | 'remoteAuthRequired'
  | 'namespaceNotFound'
  | 'repoNotFound'
  | 'tokenNotFound'
  | 'webhookNotFound'
  | 'refNotFound'
  | 'commitNotFound'
  | 'treeNotFound'
  | 'blobNotFound'
  | 'fileNotFound'
  | 'objectNotFound'
  | 'remoteNotFound'
  | 'remoteBranchNotFound'
  | 'namespaceExists'
  | 'repoExists'
  | 'namespaceNotEmpty'
  | 'readOnlyRepo'
  | 'staleRef'
  | 'refRefused'
  | 'nonFastForward'
  | 'nothingToCommit'
  | 'changeRefused'
  | 'idempotencyKeyReused'
  | 'mergeConflict'
  | 'tooManyTokens'
  | 'creating'
  | 'importing'
  | 'forking'
  | 'namespaceDeleting'
  | 'memoryLimit'
  | 'overloaded'
  | 'storageFull'
  | 'storageGone'
  | 'storageUnavailable'
  | 'importTooLarge'
  | 'upstreamUnavailable'
  | 'internal';

/** One row of a table of errors. */
export interface ErrorRow {
  readonly code: number;
  /** HTTP status. */
  readonly status: number;
  /** The default message. */
  readonly message: string;
  /** The kind for programs, in snake_case. Stable, and distinct within a table (REPO-298). */
  readonly reason: string;
  /** True if the request changed nothing and may succeed later as it is (REPO-299). Default: false. */
  readonly retryable?: boolean;
  /** Advice on the next step: one sentence, with inline code in backticks (REPO-300). */
  readonly hint: string;
}

/** The members of an error that say what to do about it (REPO-298 to REPO-300). */
export interface ErrorAdvice {
  readonly reason: string;
  readonly retryable: boolean;
  readonly hint: string;
}

export function errorAdvice({ reason, retryable = false, hint }: ErrorRow): ErrorAdvice {
  return { reason, retryable, hint };
}

/**
 * All errors of the control plane with their codes (REPO-160 to REPO-177). HTTP and Git handlers serialize them.
 * `message` is exact (REPO-048) unless the caller passes `text`. An error outside this table is unexpected, and its
 * reply reveals nothing.
 */
export const repoErrors: Readonly<Record<RepoErrorKind, ErrorRow>> = {
  authentication: {
    code: 10000,
    status: 401,
    message: 'Authentication error',
    reason: 'authentication_failed',
    hint: 'Send `Authorization: Bearer` with an API token of this server; the token of a repository is for Git alone.',
  },
  permission: {
    code: 10000,
    status: 403,
    message: 'Insufficient permission',
    reason: 'permission_denied',
    hint: 'Use an API token that is for this account and allows this operation.',
  },
  noRoute: {
    code: 7003,
    status: 404,
    message: 'No route for the URI',
    reason: 'route_not_found',
    hint: 'Check the base path, the account and the end of the address; the page `/docs` lists every address.',
  },
  noMethod: {
    code: 7001,
    status: 405,
    message: 'Method not available for the URI',
    reason: 'method_not_allowed',
    hint: 'Use a method that the header `Allow` of the reply lists.',
  },
  bodyTooLarge: {
    code: 10413,
    status: 413,
    message: 'Request body too large',
    reason: 'body_too_large',
    hint: 'Send a smaller body, or ask the operator for a higher limit.',
  },
  mediaType: {
    code: 10415,
    status: 415,
    message: 'Unsupported media type',
    reason: 'unsupported_media_type',
    hint: 'Send JSON in UTF-8, with `Content-Type: application/json`; the content of a blob has `application/octet-stream`.',
  },
  rate: {
    code: 10429,
    status: 429,
    message: 'Rate limit exceeded',
    reason: 'rate_limited',
    retryable: true,
    hint: 'Send fewer requests, and try again after the seconds of `Retry-After`.',
  },
  malformedJson: {
    code: 10100,
    status: 400,
    message: 'Malformed JSON body',
    reason: 'malformed_json',
    hint: 'Send a JSON object in UTF-8.',
  },
  invalidInput: {
    code: 10100,
    status: 400,
    message: 'Invalid input',
    reason: 'invalid_input',
    hint: 'Correct the value that `source` names, as the message says, and send the request again.',
  },
  invalidRepoName: {
    code: 10101,
    status: 400,
    message: 'Invalid repo name: must match /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/',
    reason: 'invalid_repo_name',
    hint: 'Choose a name of letters, digits, `.`, `_` and `-` that begins with a letter or digit.',
  },
  invalidTtl: {
    code: 10103,
    status: 400,
    message: 'ttl must be between 60 and 31536000 seconds',
    reason: 'invalid_ttl',
    hint: 'Send `ttl` as a whole number of seconds within these bounds, or leave it out.',
  },
  invalidUrl: {
    code: 10104,
    status: 400,
    message: 'url must be an HTTPS git remote URL (e.g. https://github.com/owner/repo)',
    reason: 'invalid_url',
    hint: 'Send the HTTPS address of a public repository, without a user name or password in it.',
  },
  // Callers put a sentence with the repository and the HTTP status before this message.
  remoteAuthRequired: {
    code: 10106,
    status: 422,
    message: 'Only public repositories can be imported.',
    reason: 'remote_auth_required',
    hint: 'Clone the repository yourself, create one here, and push to it.',
  },
  namespaceNotFound: {
    code: 10200,
    status: 404,
    message: 'Namespace not found',
    reason: 'namespace_not_found',
    hint: 'Check the account and how the namespace is spelt.',
  },
  repoNotFound: {
    code: 10200,
    status: 404,
    message: 'Repository not found',
    reason: 'repo_not_found',
    hint: 'Check how the namespace and the repository are spelt; one to merge from or to compare with must be a fork or the parent.',
  },
  tokenNotFound: {
    code: 10200,
    status: 404,
    message: 'Token not found',
    reason: 'token_not_found',
    hint: 'Check the id and the namespace of the token.',
  },
  webhookNotFound: {
    code: 10200,
    status: 404,
    message: 'Webhook not found',
    reason: 'webhook_not_found',
    hint: 'Check the id of the webhook, and whether it belongs to the namespace or to a repository in it.',
  },
  refNotFound: {
    code: 10200,
    status: 404,
    message: 'Ref not found',
    reason: 'ref_not_found',
    hint: 'Check how the ref is spelt; the list of refs has those that exist.',
  },
  commitNotFound: {
    code: 10200,
    status: 404,
    message: 'Commit not found',
    reason: 'commit_not_found',
    hint: 'Check that the hash is of a commit that a ref of this repository reaches.',
  },
  treeNotFound: {
    code: 10200,
    status: 404,
    message: 'Tree not found',
    reason: 'tree_not_found',
    hint: 'Check that the path is of a folder at that ref, or that the hash is of a tree that a ref of this repository reaches.',
  },
  blobNotFound: {
    code: 10200,
    status: 404,
    message: 'Blob not found',
    reason: 'blob_not_found',
    hint: 'Check that the hash is of a file that a ref of this repository reaches, or for a commit of one that was uploaded to it.',
  },
  fileNotFound: {
    code: 10200,
    status: 404,
    message: 'File not found',
    reason: 'file_not_found',
    hint: 'Check how the path and the ref are spelt, and that the path is not of a folder where a file is asked for.',
  },
  objectNotFound: {
    code: 10200,
    status: 404,
    message: 'Object not found',
    reason: 'object_not_found',
    hint: 'Check that the hash is of an object that a ref of this repository reaches.',
  },
  remoteNotFound: {
    code: 10200,
    status: 404,
    message: 'Remote repository not found',
    reason: 'remote_not_found',
    hint: 'Check the address of the other repository, and that it is public.',
  },
  remoteBranchNotFound: {
    code: 10200,
    status: 404,
    message: 'Remote branch not found',
    reason: 'remote_branch_not_found',
    hint: 'Check how the branch of the other repository is spelt.',
  },
  namespaceExists: {
    code: 10201,
    status: 409,
    message: 'Namespace already exists',
    reason: 'namespace_exists',
    hint: 'Choose another name, or use the namespace that exists.',
  },
  repoExists: {
    code: 10201,
    status: 409,
    message: 'repo already exists',
    reason: 'repo_exists',
    hint: 'Choose another name, or use the repository that exists.',
  },
  namespaceNotEmpty: {
    code: 10202,
    status: 409,
    message: 'Namespace is not empty',
    reason: 'namespace_not_empty',
    hint: 'Delete the repositories of the namespace first.',
  },
  readOnlyRepo: {
    code: 10203,
    status: 409,
    message: 'Repository is read-only',
    reason: 'repo_read_only',
    hint: 'Fork the repository and change the fork, or set `read_only` of the repository to false.',
  },
  staleRef: {
    code: 10204,
    status: 409,
    message: 'The ref has another value',
    reason: 'stale_ref',
    hint: 'Read the ref again (`details.head` has its value), and decide whether your change still fits.',
  },
  // Callers add the reason to this message and the next three.
  refRefused: {
    code: 10205,
    status: 409,
    message: 'The update was refused',
    reason: 'ref_refused',
    hint: 'Act on the reason in the message, and on `source` if it is there; a tag that exists moves only with `force`.',
  },
  nonFastForward: {
    code: 10205,
    status: 409,
    message: 'The update was refused',
    reason: 'non_fast_forward',
    hint: 'Merge the commits of the ref into yours first; an update of a ref may send `force` instead, if they may be lost and the service allows it.',
  },
  nothingToCommit: {
    code: 10205,
    status: 409,
    message: 'The update was refused',
    reason: 'nothing_to_commit',
    hint: 'The branch has these files already: make no commit, or send `allow_empty` with a commit, cherry-pick or revert.',
  },
  changeRefused: {
    code: 10205,
    status: 409,
    message: 'The update was refused',
    reason: 'change_refused',
    hint: 'List the folder at that path on the branch, and correct the change that `source` names.',
  },
  idempotencyKeyReused: {
    code: 10205,
    status: 409,
    message: 'The update was refused: the idempotency key was used for another commit',
    reason: 'idempotency_key_reused',
    hint: 'Send a new key with a new commit; a retry has the key and the body of the first request.',
  },
  mergeConflict: {
    code: 10206,
    status: 409,
    message: 'The merge has conflicts',
    reason: 'merge_conflict',
    hint: 'Commit `ours` of each path in `details.conflicts` to the branch that you merge, merge the other branch into it, commit the solution, and merge again.',
  },
  tooManyTokens: {
    code: 10207,
    status: 409,
    message: 'The account has too many API tokens',
    reason: 'too_many_api_tokens',
    hint: 'Revoke API tokens that are not used, or ask the operator for a higher limit.',
  },
  creating: {
    code: 10301,
    status: 409,
    message: 'Repository creation in progress',
    reason: 'repo_creating',
    retryable: true,
    hint: 'Try again later; over HTTP, `Retry-After` says after how many seconds.',
  },
  importing: {
    code: 10302,
    status: 409,
    message: 'Repository import in progress',
    reason: 'repo_importing',
    retryable: true,
    hint: 'Try again later; over HTTP, `Retry-After` says after how many seconds.',
  },
  forking: {
    code: 10303,
    status: 409,
    message: 'Repository fork in progress',
    reason: 'repo_forking',
    retryable: true,
    hint: 'Try again later; over HTTP, `Retry-After` says after how many seconds.',
  },
  namespaceDeleting: {
    code: 10305,
    status: 409,
    message: 'Namespace deletion in progress',
    reason: 'namespace_deleting',
    retryable: true,
    hint: 'Wait until the namespace is gone, or use another name.',
  },
  memoryLimit: {
    code: 10402,
    status: 413,
    message: 'not enough memory',
    reason: 'memory_limit',
    hint: 'Ask for less at once, or ask the operator for a higher limit.',
  },
  overloaded: {
    code: 10503,
    status: 503,
    message: 'The service is overloaded. Please retry.',
    reason: 'overloaded',
    retryable: true,
    hint: 'Try again later; over HTTP, `Retry-After` says after how many seconds.',
  },
  storageFull: {
    code: 10507,
    status: 507,
    message: 'The disk of the service is full.',
    reason: 'storage_full',
    hint: 'Ask the operator to make room on the disk; reading goes on working.',
  },
  storageGone: {
    code: 10503,
    status: 503,
    message: 'The storage of the service is not there.',
    reason: 'storage_gone',
    retryable: true,
    hint: 'Ask the operator to look at the data folder of the server.',
  },
  storageUnavailable: {
    code: 10503,
    status: 503,
    message: 'The storage of the service cannot be reached. Please retry.',
    reason: 'storage_unavailable',
    retryable: true,
    hint: 'Try again later; over HTTP, `Retry-After` says after how many seconds.',
  },
  importTooLarge: {
    code: 10402,
    status: 413,
    message: 'The repository exceeds the import limits',
    reason: 'import_too_large',
    hint: 'Import less with `depth` or `branch`, or ask the operator for a higher limit.',
  },
  upstreamUnavailable: {
    code: 10401,
    status: 502,
    message: 'The upstream service is unavailable. Please retry.',
    reason: 'upstream_unavailable',
    retryable: true,
    hint: 'Check the address of the other host, and try again later.',
  },
  internal: {
    code: 10400,
    status: 500,
    message: 'An internal error occurred.',
    reason: 'internal_error',
    hint: 'Look whether the change was made before you send it again, and give the operator the request id of the reply if it fails again.',
  },
};

/** One item of the `errors` list of a reply (REPO-035). */
export interface ErrorItem {
  /** Default: the kind of the error. */
  readonly kind?: RepoErrorKind;
  readonly code: number;
  readonly message: string;
  /** `/` and the name of the invalid member or parameter. */
  readonly pointer?: string;
  /** Data for programs, such as the current value of a ref (REPO-247). */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An expected failure, which the reply describes to the client. */
export class HostingError extends Error {
  override readonly name = 'HostingError';
  readonly kind: RepoErrorKind;
  /** HTTP status. */
  readonly status: number;
  /** At least one. The first is the failure, others are further invalid fields (REPO-037). */
  readonly items: readonly [ErrorItem, ...ErrorItem[]];
  /** Whole seconds, at least 1 (REPO-043, REPO-089, REPO-175). */
  readonly retryAfter: number | undefined;

  constructor(
    kind: RepoErrorKind,
    options: { text?: string; retryAfter?: number; items?: readonly [ErrorItem, ...ErrorItem[]] } = {},
  ) {
    const { code, status, message } = repoErrors[kind];
    const text = options.items?.[0].message ?? options.text ?? message;
    super(text);
    this.kind = kind;
    this.status = status;
    this.items = options.items ?? [{ code, message: text }];
    this.retryAfter = options.retryAfter;
  }
}

/** Makes the error of a body of more than `limit` bytes (REPO-041). */
export function bodyTooLarge(limit: number): HostingError {
  const { code, message } = repoErrors.bodyTooLarge;
  return new HostingError('bodyTooLarge', { items: [{ code, message, details: { limit } }] });
}

/** A field of a request that violates a rule. */
export interface FieldError extends ErrorItem {
  readonly kind: 'invalidInput' | 'invalidRepoName' | 'invalidTtl' | 'invalidUrl';
  readonly pointer: string;
}

/** Makes one error of all invalid fields of a request, in the order of the specification's tables (REPO-036). */
export function fieldErrors(errors: readonly [FieldError, ...FieldError[]]): HostingError {
  return new HostingError(errors[0].kind, { items: errors });
}

/** Makes the error of one invalid field. `message` defaults to the text of the kind. */
export function fieldError(kind: FieldError['kind'], field: string, message?: string): FieldError {
  return { kind, code: repoErrors[kind].code, message: message ?? repoErrors[kind].message, pointer: `/${field}` };
}
