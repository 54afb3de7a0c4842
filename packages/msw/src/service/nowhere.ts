import type { Outbound } from '@packhouse/hosting';

/** Refuses all outbound requests. Imports fail as if the remote could not be found (REPO-128). */
export const nowhere: Outbound = {
  lookup: async (host) => {
    throw new Error(`a mock looks up no host, and ${host} neither`);
  },
  fetch: async () => {
    throw new Error('a mock reaches nobody');
  },
};
