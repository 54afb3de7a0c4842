import type { RemoteError } from '@packhouse/git';
import { HostingError, repoErrors, type RepoErrorKind } from '@packhouse/base';

/** Makes the client's error from that of the remote (REPO-126 to REPO-129). `clone` is the URL that ends in `.git`. */
export function importError({ code, status }: RemoteError, clone: string): HostingError {
  switch (code) {
    case 'authentication': {
      const who = `Repository "${clone}" requires authentication (HTTP ${status}).`;
      return aboutUrl('remoteAuthRequired', `${who} ${repoErrors.remoteAuthRequired.message}`);
    }
    case 'not found':
      return new HostingError('remoteNotFound');
    case 'branch missing':
      return new HostingError('remoteBranchNotFound');
    case 'not a remote':
    case 'object format':
    case 'redirected':
      return aboutUrl('invalidUrl', repoErrors.invalidUrl.message);
    case 'too large':
      return new HostingError('importTooLarge');
    // Only deleting the repo or stopping the service cancels an import. No repo remains.
    case 'cancelled':
      return new HostingError('repoNotFound');
    case 'unreachable':
    case 'failing':
    case 'stalled':
    case 'timed out':
    case 'broken off':
    case 'malformed':
    case 'refused':
    case 'bad pack':
      return new HostingError('upstreamUnavailable');
  }
}

/** The names of a repo whose import failed. */
interface RepoName {
  readonly namespace: string;
  readonly name: string;
}

/** The reason of a failed import, for the log of the service. Clients get one error for many reasons. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure';
  /** Level for the log: `warn`, since the fault is the remote's. */
  readonly level = 'warn';

  constructor({ namespace, name }: RepoName, cause: RemoteError) {
    // Operators know the names, not the id. They are separate, since the log removes `a/b` as a path.
    super(`the import of repo ${name} in namespace ${namespace} failed: ${reasons(cause).join(': ')}`, { cause });
  }
}

/** Checks whether {@link importError} gives the client the whole reason. */
export function isTold({ code }: RemoteError): boolean {
  return code === 'authentication' || code === 'not found' || code === 'branch missing' || code === 'cancelled';
}

/** Returns the messages of an error and its causes, outermost first. Faults of certificates are two causes deep. */
function reasons(error: unknown, most = 4): readonly string[] {
  return error instanceof Error && most > 0 ? [error.message, ...reasons(error.cause, most - 1)] : [];
}

function aboutUrl(kind: RepoErrorKind, message: string): HostingError {
  return new HostingError(kind, { items: [{ code: repoErrors[kind].code, message, pointer: '/url' }] });
}
