import type { Outbound } from '@packhouse/hosting';

/** A mock reaches nobody: imports end as they do where the remote cannot be found (REPO-128). */
export const nowhere: Outbound = {
  lookup: async (host) => {
    throw new Error(`a mock looks up no host, and ${host} neither`);
  },
  fetch: async () => {
    throw new Error('a mock reaches nobody');
  },
};
