import { RemoteError, type Fetch } from '@packhouse/git';
import type { Outbound } from '../ports/outbound.ts';
import { isPublicAddress } from './public-address.ts';

/**
 * A fetch that goes to public addresses alone (REPO-129), looked up anew for each request and handed on, so that a name
 * cannot lead elsewhere once it was checked.
 *
 * @param allowed hosts that are exempt, as `import_allow` lists them.
 */
export function guardedFetch(outbound: Outbound, allowed: readonly string[]): Fetch {
  const exempt = new Set(allowed.map((host) => host.toLowerCase()));
  return async (request) => {
    const { hostname, protocol } = new URL(request.url);
    if (protocol !== 'https:') throw notPublic('the URL is not https');
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    if (exempt.has(host) || exempt.has(hostname)) return outbound.fetch(request, undefined);
    const isLiteral = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
    const addresses = isLiteral ? [host] : await outbound.lookup(host);
    if (addresses.length === 0) throw new RemoteError('unreachable', 'the host has no address');
    if (!addresses.every(isPublicAddress)) throw notPublic('the host has an address that is not public');
    return outbound.fetch(request, addresses);
  };
}

function notPublic(message: string): RemoteError {
  return new RemoteError('not a remote', message);
}
