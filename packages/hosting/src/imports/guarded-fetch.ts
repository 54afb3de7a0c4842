import { RemoteError, type Fetch } from '@packhouse/git';
import { reachableAddresses, UnreachableError } from '../outbound/reachable-addresses.ts';
import type { Outbound } from '../ports/outbound.ts';

/**
 * Creates a fetch that sends requests only over HTTPS and to public addresses (REPO-129). It throws {@link RemoteError}
 * for other URLs.
 *
 * @param allowed hosts that may have private addresses, as in `import_allow`.
 */
export function guardedFetch(outbound: Outbound, allowed: readonly string[]): Fetch {
  return async (request) => {
    const url = new URL(request.url);
    if (url.protocol !== 'https:') throw new RemoteError('not a remote', 'the URL is not https');
    return outbound.fetch(request, await addressesOf(outbound, url, allowed));
  };
}

async function addressesOf(
  outbound: Outbound,
  url: URL,
  allowed: readonly string[],
): ReturnType<typeof reachableAddresses> {
  try {
    return await reachableAddresses((host) => outbound.lookup(host, 'import'), url, allowed);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    throw new RemoteError(error.reason === 'not public' ? 'not a remote' : 'unreachable', error.message);
  }
}
