import { HostingError, type ErrorItem, type RepoErrorKind } from '@packhouse/base';
import type { Hosting } from '@packhouse/hosting';
import { RepoError, repoErrorCodes, type RepoErrorCode } from './repo-error.ts';

/** How a method speaks of what went wrong in it. */
export interface Wording {
  /** Arguments by the pointers that the service has for them, in the order in which they are checked. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Default: that the repository was deleted. */
  readonly notFound?: string;
}

/** Makes of everything that is thrown what a caller of a binding may see (BIND-080 to BIND-097). */
export interface Failures {
  error(code: RepoErrorCode, message: string): RepoError;
  /** Undefined: it is unexpected. */
  known(thrown: unknown, wording?: Wording): RepoError | undefined;
  /** What is unexpected is reported, and tells the caller nothing. */
  told(thrown: unknown, wording?: Wording): RepoError;
}

const codes: Readonly<Partial<Record<RepoErrorKind, RepoErrorCode>>> = {
  remoteNotFound: 'NOT_FOUND',
  remoteBranchNotFound: 'NOT_FOUND',
  repoExists: 'ALREADY_EXISTS',
  creating: 'CREATE_IN_PROGRESS',
  importing: 'IMPORT_IN_PROGRESS',
  forking: 'FORK_IN_PROGRESS',
  invalidTtl: 'INVALID_TTL',
  upstreamUnavailable: 'UPSTREAM_UNAVAILABLE',
  importTooLarge: 'MEMORY_LIMIT',
};

/** Codes of what an argument may have wrong, or the remote that it names. */
const argumentCodes: readonly RepoErrorCode[] = [
  'INVALID_INPUT',
  'INVALID_REPO_NAME',
  'INVALID_URL',
  'REMOTE_AUTH_REQUIRED',
];

export function createFailures({ dialect, report }: Pick<Hosting, 'dialect' | 'report'>): Failures {
  const error: Failures['error'] = (code, message) => new RepoError(code, message, dialect.bindingErrorName);
  const known: Failures['known'] = (thrown, wording = {}) => {
    if (thrown instanceof RepoError) return thrown;
    if (!(thrown instanceof HostingError)) return undefined;
    const { kind, items, message } = thrown;
    if (kind === 'repoNotFound') return error('NOT_FOUND', wording.notFound ?? 'The repository was deleted.');
    if (kind === 'memoryLimit' || kind === 'overloaded')
      return error('MEMORY_LIMIT', 'There is not enough memory for this.');
    // BIND-082.
    if (kind === 'namespaceDeleting') return error('INTERNAL_ERROR', 'Namespace is not active');
    const code = codes[kind];
    if (code !== undefined) return error(code, message);
    const fault = firstFault(items, wording.arguments ?? {});
    return fault === undefined ? undefined : error(fault.code, fault.message);
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

/** Of all arguments at fault the one that is checked first. */
function firstFault(
  items: readonly ErrorItem[],
  names: Readonly<Record<string, string>>,
): { readonly code: RepoErrorCode; readonly message: string } | undefined {
  for (const [pointer, name] of Object.entries(names)) {
    const item = items.find((one) => one.pointer === pointer);
    const code = argumentCodes.find((one) => repoErrorCodes[one] === item?.code);
    if (item === undefined || code === undefined) continue;
    // The other texts name the argument themselves (BIND-083).
    return { code, message: code === 'INVALID_INPUT' ? `${item.message} (${name})` : item.message };
  }
  return undefined;
}
