import type { RepoStatus } from '../ports/repo-storage.ts';

/** Reasons to refuse a Git request, in the order of GIT-008. */
export type GitRefusalReason =
  /**
   * The token is unknown, expired, revoked or of another repo, or the repo does not exist. Clients see no difference
   * (GIT-025).
   */
  | 'invalid token'
  /** GIT-185. */
  | 'foreign token'
  /** GIT-031. */
  | 'rate'
  /** GIT-026. */
  | 'scope'
  /** GIT-034. */
  | 'read-only'
  /** GIT-030. */
  | Exclude<RepoStatus, 'ready'>;

interface Reply {
  /** HTTP status. */
  readonly status: number;
  /** Exact text of the reply (GIT-007). */
  readonly text: string;
}

/** Status and text of every refusal. */
export const gitRefusals: Readonly<Record<GitRefusalReason, Reply>> = {
  'invalid token': { status: 403, text: 'Invalid or expired token' },
  'foreign token': {
    status: 403,
    text: 'Git takes a repository token, or an API token that the service stores; this is neither',
  },
  rate: { status: 429, text: 'Rate limit exceeded' },
  scope: { status: 403, text: 'Insufficient permissions' },
  'read-only': { status: 403, text: 'Repository is read-only' },
  creating: { status: 409, text: 'Repository creation in progress' },
  importing: { status: 409, text: 'Repository import in progress' },
  forking: { status: 409, text: 'Repository fork in progress' },
};

/** Refuses a Git request with an HTTP status. `message` is the text of the reply, with details if there are any. */
export class GitRefusal extends Error {
  override readonly name = 'GitRefusal';
  readonly reason: GitRefusalReason;
  readonly status: number;
  /** Whole seconds, at least 1. Undefined: the reply has no `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(reason: GitRefusalReason, retryAfter?: number, details?: string) {
    const { text } = gitRefusals[reason];
    super(details === undefined ? text : `${text}: ${details}`);
    this.reason = reason;
    this.status = gitRefusals[reason].status;
    this.retryAfter = retryAfter;
  }
}
