import { cases, isBeyondMocks } from '@packhouse/conformance';
import { inMemory } from './support/memory.ts';
import { testRuntime } from './support/test-runtime.ts';

// Every case runs in `neutral` on each runtime. In `cloudflare` too: those that a mock of `@packhouse/msw` has the means
// for run there (packages/msw/test/conformance/node.runtimes.test.ts holds it to that), for it is the same router over the same
// storage, and here are the others.
testRuntime('memory', inMemory, { plan: { cloudflare: cases.filter(isBeyondMocks) } });
