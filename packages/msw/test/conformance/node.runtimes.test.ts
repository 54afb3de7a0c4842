import { cases, dialectSample, groupSample, isBeyondMocks, secondDialect, type Target } from '@packhouse/conformance';
import { conformanceTests } from '@packhouse/conformance/vitest';
import { sampleSeed } from '@packhouse/fixtures';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect } from 'vitest';
import { startTarget, type Place } from './mock-target.ts';
import { outcome, unexpected } from './outcome.ts';
import { suiteMock, type SuiteMock } from './suite-mock.ts';

/** In memory, the other cases run (packages/cli/test/conformance/memory.runtimes.test.ts); here they are skipped. */
const inCloudflare = [...cases.filter(isBeyondMocks), ...secondDialect(cases.filter((one) => !isBeyondMocks(one)))];

const server = setupServer();
// A request that no mock answers is a fault.
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterAll(() => server.close());

const mocks = new Map<string, SuiteMock>();
const inNode: Place = {
  async start(options) {
    mocks.set(options.origin, suiteMock(options));
    server.resetHandlers(...[...mocks.values()].flatMap(({ mock }) => mock.handlers));
  },
  async close(origin) {
    const failures = mocks.get(origin)?.failures ?? [];
    mocks.delete(origin);
    server.resetHandlers(...[...mocks.values()].flatMap(({ mock }) => mock.handlers));
    return failures;
  },
  target: { lacks: ['event sink', 'maintenance'] },
};

for (const dialect of ['neutral', 'cloudflare'] as const) {
  const name = `mock, ${dialect}`;
  let target: Awaited<ReturnType<typeof startTarget>> | undefined;
  conformanceTests({
    name,
    // Every case runs in `neutral` on Node and workerd, and most do in Chromium (chromium.browser.test.ts).
    cases: groupSample(dialect === 'cloudflare' ? inCloudflare : dialectSample(cases), sampleSeed()),
    start: async (): Promise<Target> => (target = await startTarget(inNode, name, dialect)),
    async end(results) {
      console.log(outcome(name, results));
      await target?.close();
      expect(unexpected(results), 'no case is skipped or unsupported without our knowing').toEqual([]);
      const beyond = new Set(cases.filter(isBeyondMocks).map(({ id }) => id));
      const misplaced = results.filter(({ id, reason }) => beyond.has(id) !== (reason?.startsWith('needs ') ?? false));
      expect(misplaced, 'what is not run here is what runs in memory').toEqual([]);
    },
  });
}
