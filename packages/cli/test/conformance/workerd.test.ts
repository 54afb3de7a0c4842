import { served } from './support/served.ts';
import { testRuntime } from './support/test-runtime.ts';

// The runtime hides an empty If-Match.
testRuntime('workerd', served('workerd'), { knownToFail: ['tags/if-match/empty'] });
