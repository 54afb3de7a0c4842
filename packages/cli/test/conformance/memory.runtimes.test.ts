import { cases, isBeyondMocks, secondDialect } from '@packhouse/conformance';
import { inMemory } from './support/memory.ts';
import { testRuntime } from './support/test-runtime.ts';

// Every case runs in `neutral` on Node and workerd. In `cloudflare`, cases that a mock of `@packhouse/msw` supports run
// there: it is the same router over the same storage (packages/msw/test/conformance/node.runtimes.test.ts checks that).
// The others run here, and Git's once per group: the engine knows no dialect.
testRuntime('memory', inMemory, { neutral: [], cloudflare: secondDialect(cases.filter(isBeyondMocks)) });
