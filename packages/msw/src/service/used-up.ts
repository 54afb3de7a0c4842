import { GitRefusal, HostingError, type Hosting, type Tagging } from '@packhouse/hosting';

/** A service that refuses by its rate whatever it would have let in; what comes before the rate is checked as ever. */
export function usedUp(hosting: Hosting, retryAfter: number): Hosting {
  return {
    ...hosting,
    admit() {
      throw new HostingError('rate', { retryAfter });
    },
    async openForGit(request) {
      await hosting.openForGit(request);
      throw new GitRefusal('rate', retryAfter);
    },
    tagging: hosting.tagging && taggingUsedUp(hosting.tagging, retryAfter),
  };
}

function taggingUsedUp(tagging: Tagging, retryAfter: number): Tagging {
  return {
    ...tagging,
    async admit(...given) {
      await tagging.admit(...given);
      throw new HostingError('rate', { retryAfter });
    },
  };
}
