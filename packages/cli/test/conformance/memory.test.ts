import { cases, isBeyondMocks } from '@packhouse/conformance';
import { inMemory } from './support/memory.ts';
import { testRuntime } from './support/test-runtime.ts';

// A mock of `@packhouse/msw` is the same router over the same storage, without sockets. It runs all that it has the means
// for in both dialects (packages/msw/src/conformance/node.test.ts holds it to that); here are the others.
testRuntime('memory', inMemory, { inBoth: cases.filter(isBeyondMocks) });
