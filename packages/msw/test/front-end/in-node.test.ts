// @vitest-environment jsdom
import { createMock } from '@packhouse/msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, it, vi } from 'vitest';
import { behindMock } from './behind-mock.ts';
import { openPage } from './open-page.ts';
import { scenarios } from './scenarios.ts';
import { visitorInNode } from './visitor-in-node.ts';

const mock = createMock({
  baseUrl: 'https://api.example.test',
  apiTokens: ['secret', 'fresh'],
});
const server = setupServer(...mock.handlers);

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  // Waits of the page, and latencies of the mock: a test goes through them at once.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await mock.store.reset();
});
afterAll(() => server.close());

describe('the page in Node, with a mock', () => {
  it.each(scenarios)('$name', async ({ seed, faults = [], token = 'secret', visit }) => {
    await mock.store.seed(seed);
    mock.faults.add(...faults);
    openPage(mock.restUrl);
    await visitorInNode.enter('Token', token);
    await visit(visitorInNode, behindMock(mock));
  });
});
