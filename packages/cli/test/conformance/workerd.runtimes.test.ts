import { served } from './support/served.ts';
import { testRuntime } from './support/test-runtime.ts';

// The runtime hides an empty If-Match, and answers 500 itself for two Hosts.
testRuntime('workerd', served('workerd'), { knownToFail: ['tags/if-match/empty', 'rest/host-paths/two-hosts'] });
