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
  | 'refNotFound'
  | 'commitNotFound'
  | 'treeNotFound'
  | 'blobNotFound'
  | 'fileNotFound'
  | 'remoteNotFound'
  | 'remoteBranchNotFound'
  | 'namespaceExists'
  | 'repoExists'
  | 'namespaceNotEmpty'
  | 'creating'
  | 'importing'
  | 'forking'
  | 'namespaceDeleting'
  | 'memoryLimit'
  | 'overloaded'
  | 'storageFull'
  | 'storageGone'
  | 'importTooLarge'
  | 'upstreamUnavailable'
  | 'internal';

export interface RepoErrorRow {
  readonly code: number;
  /** HTTP status. */
  readonly status: number;
  /** The default message. */
  readonly message: string;
}

/**
 * All errors of the control plane with their codes (REPO-160 to REPO-177). HTTP and Git handlers serialize them.
 * `message` is exact (REPO-048) unless the caller passes `text`. An error outside this table is unexpected, and its
 * reply reveals nothing.
 */
export const repoErrors: Readonly<Record<RepoErrorKind, RepoErrorRow>> = {
  authentication: { code: 10000, status: 401, message: 'Authentication error' },
  permission: { code: 10000, status: 403, message: 'Insufficient permission' },
  noRoute: { code: 7003, status: 404, message: 'No route for the URI' },
  noMethod: { code: 7001, status: 405, message: 'Method not available for the URI' },
  bodyTooLarge: { code: 10413, status: 413, message: 'Request body too large' },
  mediaType: { code: 10415, status: 415, message: 'Unsupported media type' },
  rate: { code: 10429, status: 429, message: 'Rate limit exceeded' },
  malformedJson: { code: 10100, status: 400, message: 'Malformed JSON body' },
  invalidInput: { code: 10100, status: 400, message: 'Invalid input' },
  invalidRepoName: {
    code: 10101,
    status: 400,
    message: 'Invalid repo name: must match /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/',
  },
  invalidTtl: { code: 10103, status: 400, message: 'ttl must be between 60 and 31536000 seconds' },
  invalidUrl: {
    code: 10104,
    status: 400,
    message: 'url must be an HTTPS git remote URL (e.g. https://github.com/owner/repo)',
  },
  // Callers put a sentence with the repository and the HTTP status before this message.
  remoteAuthRequired: { code: 10106, status: 422, message: 'Only public repositories can be imported.' },
  namespaceNotFound: { code: 10200, status: 404, message: 'Namespace not found' },
  repoNotFound: { code: 10200, status: 404, message: 'Repository not found' },
  tokenNotFound: { code: 10200, status: 404, message: 'Token not found' },
  refNotFound: { code: 10200, status: 404, message: 'Ref not found' },
  commitNotFound: { code: 10200, status: 404, message: 'Commit not found' },
  treeNotFound: { code: 10200, status: 404, message: 'Tree not found' },
  blobNotFound: { code: 10200, status: 404, message: 'Blob not found' },
  fileNotFound: { code: 10200, status: 404, message: 'File not found' },
  remoteNotFound: { code: 10200, status: 404, message: 'Remote repository not found' },
  remoteBranchNotFound: { code: 10200, status: 404, message: 'Remote branch not found' },
  namespaceExists: { code: 10201, status: 409, message: 'Namespace already exists' },
  repoExists: { code: 10201, status: 409, message: 'repo already exists' },
  namespaceNotEmpty: { code: 10202, status: 409, message: 'Namespace is not empty' },
  creating: { code: 10301, status: 409, message: 'Repository creation in progress' },
  importing: { code: 10302, status: 409, message: 'Repository import in progress' },
  forking: { code: 10303, status: 409, message: 'Repository fork in progress' },
  namespaceDeleting: { code: 10305, status: 409, message: 'Namespace deletion in progress' },
  memoryLimit: { code: 10402, status: 413, message: 'not enough memory' },
  overloaded: { code: 10503, status: 503, message: 'The service is overloaded. Please retry.' },
  storageFull: { code: 10507, status: 507, message: 'The disk of the service is full.' },
  storageGone: { code: 10503, status: 503, message: 'The storage of the service is not there.' },
  importTooLarge: { code: 10402, status: 413, message: 'The repository exceeds the import limits' },
  upstreamUnavailable: { code: 10401, status: 502, message: 'The upstream service is unavailable. Please retry.' },
  internal: { code: 10400, status: 500, message: 'An internal error occurred.' },
};

/** One item of the `errors` list of a reply (REPO-035). */
export interface ErrorItem {
  readonly code: number;
  readonly message: string;
  /** `/` and the name of the invalid member or parameter. */
  readonly pointer?: string;
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

/** A field of a request that violates a rule. */
export interface FieldError extends ErrorItem {
  readonly kind: 'invalidInput' | 'invalidRepoName' | 'invalidTtl' | 'invalidUrl';
  readonly pointer: string;
}

/** Makes one error of all invalid fields of a request, in the order of the specification's tables (REPO-036). */
export function fieldErrors(errors: readonly [FieldError, ...FieldError[]]): HostingError {
  const [first, ...others] = errors.map(({ code, message, pointer }) => ({ code, message, pointer }));
  return new HostingError(errors[0].kind, { items: [first as ErrorItem, ...others] });
}

/** Makes the error of one invalid field. `message` defaults to the text of the kind. */
export function fieldError(kind: FieldError['kind'], field: string, message?: string): FieldError {
  return { kind, code: repoErrors[kind].code, message: message ?? repoErrors[kind].message, pointer: `/${field}` };
}
