import { RemoteError, type Fetch } from '@packhouse/git';
import { reachableAddresses, UnreachableError } from '../outbound/reachable-addresses.ts';
import type { Outbound } from '../ports/outbound.ts';

/**
 * A fetch that goes to public addresses alone (REPO-129), and over HTTPS.
 *
 * @param allowed hosts that are exempt, as `import_allow` lists them.
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
