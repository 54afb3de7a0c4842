import { cases, groupSample, isBeyondMocks, secondDialect } from '@packhouse/conformance';
import { sampleSeed } from '@packhouse/fixtures';
import { inMemory } from './support/memory.ts';
import { testRuntime } from './support/test-runtime.ts';

// Every case runs in `neutral` on Node and workerd. In `cloudflare`, cases that a mock of `@packhouse/msw` supports run
// there: it is the same router over the same storage (packages/msw/test/conformance/node.runtimes.test.ts checks that).
// The others run here, and Git's once per group: the engine knows no dialect.
const cloudflare = groupSample(secondDialect(cases.filter(isBeyondMocks)), sampleSeed());
testRuntime('memory', inMemory, { neutral: [], cloudflare });
