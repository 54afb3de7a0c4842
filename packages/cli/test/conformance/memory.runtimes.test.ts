import { cases, isBeyondMocks } from '@packhouse/conformance';
import { inMemory } from './support/memory.ts';
import { testRuntime } from './support/test-runtime.ts';

// Every case runs in `neutral` on each runtime. In `cloudflare`, cases that a mock of `@packhouse/msw` supports run
// there: it is the same router over the same storage (packages/msw/test/conformance/node.runtimes.test.ts checks that).
// The others run here.
testRuntime('memory', inMemory, { plan: { cloudflare: cases.filter(isBeyondMocks) } });
