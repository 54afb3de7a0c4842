import { resolve4, resolve6 } from 'node:dns/promises';
import type { Outbound } from '@packhouse/hosting';
import type { Environment } from '../environment/environment.ts';

/**
 * Reaches others with the `fetch` of the runtime. That chooses the address itself, and leads to public ones alone: on the
 * platform, and in the local runtime. What the name leads to is looked up and checked all the same (REPO-129).
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
