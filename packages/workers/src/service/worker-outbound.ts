import { resolve4, resolve6 } from 'node:dns/promises';
import type { Outbound } from '@packhouse/hosting';
import type { Environment } from '../environment/environment.ts';

/**
 * Makes outgoing requests with the `fetch` of the runtime. It chooses the address itself, and reaches only public ones,
 * on the platform and in the local runtime. `lookup` still lets the caller check the addresses (REPO-129).
 */
export function workerOutbound({ INSIDE }: Pick<Environment, 'INSIDE'>): Outbound {
  return {
    async lookup(host) {
      const found = await Promise.allSettled([resolve4(host), resolve6(host)]);
      const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
      if (addresses.length === 0) throw new Error('The host has no address');
      return addresses;
    },
    fetch: (request, addresses) =>
      addresses === undefined && INSIDE !== undefined ? INSIDE.fetch(request) : fetch(request),
  };
}
