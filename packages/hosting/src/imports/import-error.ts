import type { RemoteError } from '@packhouse/git';
import { HostingError, repoErrors, type RepoErrorKind } from '@packhouse/base';

/** What a client is told of a remote that could not be imported (REPO-126 to REPO-129). `clone`: its URL that ends in `.git`. */
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
    // Who deleted it was told so; it is as if it had never been.
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

/** Of a repo that came to nothing. */
interface RepoName {
  readonly namespace: string;
  readonly name: string;
}

/** Why an import failed, for the log of the service: its client is told the same of many faults. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure';
  /** For the log: nothing is wrong with this service. */
  readonly level = 'warn';

  constructor({ namespace, name }: RepoName, cause: RemoteError) {
    // By its name: nobody was told the id, and `a/b` is cut from the log as a path.
    super(`the import of repo ${name} in namespace ${namespace} failed: ${reasons(cause).join(': ')}`, { cause });
  }
}

/** Whether what {@link importError} says is the whole reason. */
export function isTold({ code }: RemoteError): boolean {
  return code === 'authentication' || code === 'not found' || code === 'branch missing' || code === 'cancelled';
}

/** A few messages, the outermost first. What a certificate lacks stands two errors deep. */
function reasons(error: unknown, most = 4): readonly string[] {
  return error instanceof Error && most > 0 ? [error.message, ...reasons(error.cause, most - 1)] : [];
}

function aboutUrl(kind: RepoErrorKind, message: string): HostingError {
  return new HostingError(kind, { items: [{ code: repoErrors[kind].code, message, pointer: '/url' }] });
}
