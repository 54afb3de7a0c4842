import { HostingError, type ErrorItem, type RepoErrorKind } from '@packhouse/base';
import type { Hosting } from '@packhouse/hosting';
import { repoErrorCodes, type RepoErrorCode } from './repo-error-code.ts';
import { RepoError } from './repo-error.ts';

/** Wording of a method's errors. */
export interface Wording {
  /** Names of arguments by the service's pointers, in the order of their checks. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Default: a text saying that the repository was deleted. */
  readonly notFound?: string;
}

/** Converts thrown values to the errors that callers of a binding see (BIND-080 to BIND-097). */
export interface Failures {
  /** `kind`: the case. Default: the usual one of the code. */
  error(code: RepoErrorCode, message: string, kind?: RepoErrorKind, details?: RepoError['details']): RepoError;
  /** Returns undefined for an unexpected error. */
  known(thrown: unknown, wording?: Wording): RepoError | undefined;
  /** Reports an unexpected error to the operator, and reveals nothing to the caller. */
  told(thrown: unknown, wording?: Wording): RepoError;
}

const codes: Readonly<Partial<Record<RepoErrorKind, RepoErrorCode>>> = {
  repoNotFound: 'NOT_FOUND',
  refNotFound: 'NOT_FOUND',
  fileNotFound: 'NOT_FOUND',
  objectNotFound: 'NOT_FOUND',
  blobNotFound: 'NOT_FOUND',
  remoteNotFound: 'NOT_FOUND',
  remoteBranchNotFound: 'NOT_FOUND',
  repoExists: 'ALREADY_EXISTS',
  readOnlyRepo: 'READ_ONLY',
  staleRef: 'STALE_REF',
  refRefused: 'REF_REFUSED',
  nonFastForward: 'REF_REFUSED',
  nothingToCommit: 'REF_REFUSED',
  changeRefused: 'REF_REFUSED',
  idempotencyKeyReused: 'REF_REFUSED',
  mergeConflict: 'MERGE_CONFLICT',
  creating: 'CREATE_IN_PROGRESS',
  importing: 'IMPORT_IN_PROGRESS',
  forking: 'FORK_IN_PROGRESS',
  invalidTtl: 'INVALID_TTL',
  upstreamUnavailable: 'UPSTREAM_UNAVAILABLE',
  importTooLarge: 'MEMORY_LIMIT',
};

/** Codes for faults of an argument, or of the remote that it names. */
const argumentCodes: readonly RepoErrorCode[] = [
  'INVALID_INPUT',
  'INVALID_REPO_NAME',
  'INVALID_URL',
  'REMOTE_AUTH_REQUIRED',
];

export function createFailures({ dialect, report }: Pick<Hosting, 'dialect' | 'report'>): Failures {
  const error: Failures['error'] = (code, message, kind, details) =>
    new RepoError(code, message, dialect.bindingErrorName, kind, details);
  const known: Failures['known'] = (thrown, wording = {}) => {
    if (thrown instanceof RepoError) return thrown;
    if (!(thrown instanceof HostingError)) return undefined;
    const { kind, items, message } = thrown;
    const named = wording.arguments?.[items[0].pointer ?? ''];
    if (kind === 'repoNotFound' && named === undefined) {
      return error('NOT_FOUND', wording.notFound ?? 'The repository was deleted.');
    }
    if (kind === 'memoryLimit' || kind === 'overloaded')
      return error('MEMORY_LIMIT', 'There is not enough memory for this.', kind);
    // The exact text of a namespace that is being deleted (BIND-082).
    if (kind === 'namespaceDeleting') return error('INTERNAL_ERROR', 'Namespace is not active', kind);
    const code = codes[kind];
    if (code !== undefined) {
      return error(code, named === undefined ? message : `${message} (${named})`, kind, items[0].details);
    }
    const fault = firstFault(items, wording.arguments ?? {});
    return fault === undefined ? undefined : error(fault.code, fault.message, fault.kind ?? kind);
  };
  return {
    error,
    known,
    told(thrown, wording) {
      const failure = known(thrown, wording);
      if (failure !== undefined) return failure;
      report(thrown);
      return error('INTERNAL_ERROR', 'An internal error occurred.');
    },
  };
}

/** Returns the fault of the argument that is checked first. */
function firstFault(
  items: readonly ErrorItem[],
  names: Readonly<Record<string, string>>,
): { readonly code: RepoErrorCode; readonly message: string; readonly kind: RepoErrorKind | undefined } | undefined {
  for (const [pointer, name] of Object.entries(names)) {
    const item = items.find((one) => one.pointer === pointer);
    const code = argumentCodes.find((one) => repoErrorCodes[one] === item?.code);
    if (item === undefined || code === undefined) continue;
    // Messages of other codes name the argument already (BIND-083).
    const message = code === 'INVALID_INPUT' ? `${item.message} (${name})` : item.message;
    return { code, message, kind: item.kind };
  }
  return undefined;
}
