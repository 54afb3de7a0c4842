import type { RemoteError } from '@packhouse/git';
import { HostingError, repoErrors, type RepoErrorKind } from '../errors.ts';

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

function aboutUrl(kind: RepoErrorKind, message: string): HostingError {
  return new HostingError(kind, { items: [{ code: repoErrors[kind].code, message, pointer: '/url' }] });
}
